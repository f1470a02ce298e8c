import { expect, test } from "bun:test";
import { clearAway } from "../../../src/domain/operations/clearing.ts";
import { createRecordingLog } from "../../support/log.ts";

const CODES = ["A000000000000000", "B000000000000000"];

test("objects that can't be removed are logged and left to the sweep", async () => {
  const { log, events } = createRecordingLog();
  const swept: string[] = [];
  let isBackingUp = false;
  const error = new Error("the store is away");
  const store = {
    operations: {
      isBackingUp: async () => isBackingUp,
      markSwept: async ({ codes }: { codes: readonly string[] }) => void swept.push(...codes),
    },
  };
  const clear = (remove: () => Promise<void>) => clearAway({ store, blobs: { delete: remove }, log }, CODES, 0);

  await clear(() => Promise.reject(error));
  expect(events).toMatchObject([{ level: "warn", error }]);
  expect(swept).toEqual([]);

  await clear(() => Promise.resolve());
  expect(events).toHaveLength(1);
  expect(swept).toEqual(CODES);

  isBackingUp = true;
  await clear(() => Promise.reject(new Error("nothing may be deleted")));
  expect(events).toHaveLength(1);
  expect(swept).toEqual(CODES);
});
