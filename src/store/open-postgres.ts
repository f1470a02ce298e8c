import type { ObserveCall } from "../observability/metrics/call-meter.ts";
import { perform, performAtOnce, performRead } from "./calls.ts";
import { connectPostgres, type PostgresOptions } from "./engine/postgres/open.ts";
import { createStore, type Store } from "./store.ts";

/** Opens a PostgreSQL database. Creates or migrates its tables if needed. */
export const openPostgres = async (
  url: string,
  { observe, ...options }: PostgresOptions & { observe?: ObserveCall | undefined } = {},
): Promise<Store> => createStore(await connectPostgres(url, { perform, performAtOnce, performRead }, options), observe);
