import type { Readiness, ReadinessReport } from "../../observability/readiness.ts";
import { isThisMachine } from "./client-address.ts";
import type { BearsToken } from "./operator-token.ts";

/** The path, on both hosts, where load balancers check whether to send requests to this replica. */
export const READY_PATH = "/-/ready";
/** The path, on both hosts, where a supervisor checks whether to restart the process. */
export const LIVE_PATH = "/-/live";

export interface ReadyDependencies {
  readiness: Pick<Readiness, "isReady" | "report">;
  bearsMetricsToken: BearsToken;
}

interface Question {
  url: URL;
  headers: Headers;
  /** The client's address. */
  address: string;
}

type HeadersWith = (extra: Record<string, string>) => Headers | Record<string, string>;

/** Returns whether the server is ready. `?verbose` adds the state of its parts, for this machine and the metrics token. */
export async function answerReady(
  { readiness, bearsMetricsToken }: ReadyDependencies,
  { url, headers, address }: Question,
  headersWith: HeadersWith,
): Promise<Response> {
  const ready = await readiness.isReady();
  const isForOperator = url.searchParams.has("verbose") && (isThisMachine(address) || bearsMetricsToken(headers));
  const parts = isForOperator ? describe(await readiness.report()) : {};
  if (ready) return Response.json({ ready, ...parts }, { headers: headersWith({}) });
  return Response.json(
    { error: "The server isn't ready.", ...parts },
    { status: 503, headers: headersWith({ "Retry-After": "1" }) },
  );
}

/** Answers as long as the event loop turns, whatever the state of the database and other systems. */
export const answerLive = (headersWith: HeadersWith): Response =>
  Response.json({ live: true }, { headers: headersWith({}) });

const describe = ({ parts }: ReadinessReport) => ({
  parts: parts.map(({ since, ...part }) => ({ ...part, since: new Date(since).toISOString() })),
});
