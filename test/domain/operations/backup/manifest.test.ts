import { describe, expect, test } from "bun:test";
import {
  backupId,
  type Manifest,
  parseManifest,
  renderManifest,
} from "../../../../src/domain/operations/backup/manifest.ts";
import { failureOf } from "../../../store/support.ts";

const MANIFEST: Manifest = {
  format: 1,
  id: "000007-20261122T091011Z",
  number: 7,
  created_at: "2026-11-22T09:10:11.123Z",
  vitrine: "0.1.0",
  schema: 13,
  installation: "ins_1",
  database: { size: 3, sha256: "ab", parts: [{ name: "backups/x/vitrine.db", size: 3, sha256: "ab" }] },
  objects: { size: 20, sha256: "cd", count: 1, bytes: 3 },
  secret: null,
  damaged: [{ code: "A000000000000000", problem: "it is missing" }],
};

const parse = async (text: string) => parseManifest("manifest.json", text);

describe("a manifest", () => {
  test("is read as it was written", async () => {
    expect(await parse(renderManifest(MANIFEST))).toEqual(MANIFEST);
  });

  test("with any other byte is damaged", async () => {
    const text = renderManifest(MANIFEST);
    for (let position = 0; position < text.length; position++) {
      const other = text[position] === "7" ? "8" : "7";
      const spoiled = text.slice(0, position) + other + text.slice(position + 1);
      expect(await failureOf(parse(spoiled))).toMatchObject({ name: "DamagedBackup" });
      expect(await failureOf(parse(text.slice(0, position)))).toMatchObject({ name: "DamagedBackup" });
    }
  });

  test("of a newer format is refused", async () => {
    const newer = renderManifest({ ...MANIFEST, format: 2 });
    expect(await failureOf(parse(newer))).toMatchObject({ name: "Failure", kind: "Conflict" });
  });

  test("has an id that sorts by number, whatever the clock says", () => {
    const ids = [backupId(9, Date.UTC(2030, 0, 1)), backupId(10, Date.UTC(2026, 10, 22, 9, 10, 11, 123))];
    expect(ids[1]).toBe("000010-20261122T091011Z");
    expect(ids.toSorted()).toEqual(ids);
  });
});
