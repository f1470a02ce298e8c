import type { Events } from "../../../src/domain/model/events.ts";
import type { Clock, Random } from "../../../src/domain/model/ports.ts";
import type { Clearing } from "../../../src/domain/operations/clearing.ts";
import type { Disposal } from "../../../src/domain/trash/ports.ts";
import { createService } from "../../../src/domain/trash/service.ts";
import { createCursors } from "../../../src/hosts/http/cursors.ts";
import type { Store } from "../../../src/store/store.ts";

interface TrashDependencies {
  store: Store;
  events: Events;
  clock: Clock;
  random: Random;
  operations: { clearing: Pick<Clearing, "clearSoon"> };
  quotas?: { free: number; pro: number };
  trashDays?: number;
}

/** Creates the services of the trash. */
export const createTestTrash = ({
  quotas = { free: 1e12, pro: 1e12 },
  trashDays = 30,
  ...dependencies
}: TrashDependencies) =>
  createService({
    ...dependencies,
    quotas,
    trashDays,
    createCursors: <Place>() => createCursors<Place>({ secret: "of no importance here" }),
  });

/** Returns a deletion that is permanent at once. */
export const permanently = (now: number): Disposal => ({ bin: undefined, userId: "usr_test", now });
