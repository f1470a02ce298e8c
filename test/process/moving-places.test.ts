import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vitrine } from "../support/cli.ts";

describe("locations that can't be used", () => {
  const elsewhere = join(tmpdir(), `vitrine-nothing-${crypto.randomUUID()}`);
  test.each([
    ["blobs", "/tmp", "/tmp/blobs", "--from and --to are the same location."],
    ["blobs", "/nonexistent", elsewhere, "--from cannot be used: /nonexistent/blobs doesn't exist."],
    ["blobs", "http://localhost/", elsewhere, "--from must be a path or s3://…."],
    ["blobs", "/tmp", "s3://bucket", "AWS_ACCESS_KEY_ID is missing. It is required for --to."],
    [
      "blobs",
      "/tmp",
      "s3://bucket?region=x&key=y",
      '--to has the unknown parameter "key". Use only endpoint and region.',
    ],
    ["db", "/nonexistent", "file:///nonexistent/vitrine.db", "--from and --to are the same location."],
    ["db", "postgres://a@host/x", "postgresql://b:secret@host:5432/x", "--from and --to are the same location."],
    ["db", "/nonexistent", elsewhere, "--from cannot be used: /nonexistent/vitrine.db doesn't exist."],
    ["db", "mysql://u:secret@localhost/x", elsewhere, "--from must be a path or postgres://…."],
  ])("vitrine %s copy --from %s --to %s", async (command, from, to, message) => {
    expect(await vitrine([command, "copy", "--from", from, "--to", to])).toEqual({
      code: 2,
      stdout: "",
      stderr: `vitrine: ${message}\n`,
    });
    expect(existsSync(elsewhere)).toBe(false);
  });

  test("a database that can't be reached exits with 75", async () => {
    const from = "postgres://u:secret@127.0.0.1:1/x";
    expect(await vitrine(["db", "copy", "--from", from, "--to", elsewhere])).toEqual({
      code: 75,
      stdout: "",
      stderr: "vitrine: --from cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n",
    });
    expect(existsSync(elsewhere)).toBe(false);
  });
});
