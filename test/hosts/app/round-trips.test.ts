import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { countCharacters } from "../../../src/domain/model/limits.ts";
import { REPORT_NAME_PATTERN } from "../../../src/domain/model/names.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { runsOf } from "../../support/runs.ts";
import { uniqueName, useService } from "../../support/service.ts";
import { type Actions, actionsOf, statusOf } from "./actions.ts";
import { oddText } from "./arbitraries.ts";

/** Text that can be kept: whole characters, no NUL. */
const isKept = (text: string) => text.isWellFormed() && !text.includes("\0");

describeOneEngine("what is sent reads back", (engine) => {
  const numRuns = runsOf(engine === "sqlite" ? 200 : 40);
  const service = useService({ engine });
  const act = actionsOf(service);
  let token: string;

  beforeAll(async () => {
    token = (await service.build.user()).token;
  });

  async function titleOf(overrides: Parameters<Actions["publish"]>[1]) {
    const name = uniqueName();
    await act.publish(token, { name, ...overrides });
    const { versions } = await act.group(token, name);
    await act.deleteGroup(token, name);
    return versions[0]?.title ?? "";
  }

  test("a title, trimmed; one that is too long or no text is refused", async () => {
    const property = fc.asyncProperty(oddText, async (title) => {
      if (!isKept(title) || countCharacters(title) > 300) {
        expect(await statusOf(act.publish(token, { title }))).toBe(400);
      } else if (title.trim() !== "") {
        expect(await titleOf({ title })).toBe(title.trim());
      }
    });
    await fc.assert(property, {
      numRuns,
      examples: [["\u{1f600}".repeat(300)], ["\u{1f600}".repeat(301)], ["a\ud800"], ["a\0"], ["\u202eabc\u202c"]],
    });
    expect((await act.list(token)).standalone).toEqual([]);
  });

  test("a document's own title is whole characters, at most 300, without NUL", async () => {
    const piece = fc.oneof(
      oddText,
      fc.constantFrom("&#0;", "&#xD800;", "&#x110000;", "&amp;", "&#128512;", "<b>", "\r\n"),
    );
    const content = fc
      .array(piece, { maxLength: 6 })
      .map((pieces) => `<title>${pieces.join("").toWellFormed()}</title>`);
    const property = fc.asyncProperty(content, async (html) => {
      const title = await titleOf({ files: [{ path: "index.html", content: html }] });
      expect(isKept(title)).toBe(true);
      expect(countCharacters(title)).toBeLessThanOrEqual(300);
      expect(title).toBe(title.trim());
      expect(title).not.toBe("");
    });
    await fc.assert(property, { numRuns, examples: [[`<title>${"é".repeat(299)} !</title>`]] });
  });

  test("a folder label, its parts trimmed and blank ones left out", async () => {
    const name = uniqueName();
    await act.publish(token, { name });
    const label = fc.array(oddText, { maxLength: 4 }).map((parts) => parts.join("/"));
    const property = fc.asyncProperty(label, async (folder) => {
      const parts = folder
        .split("/")
        .map((part) => part.trim())
        .filter(Boolean);
      if (!isKept(folder) || countCharacters(folder) > 1000) {
        expect(await statusOf(act.setFolder(token, { name, folder }))).toBe(400);
        return;
      }
      const expected = parts.length === 0 ? null : parts.join("/");
      expect((await act.setFolder(token, { name, folder })).folder).toBe(expected);
      const detail = await act.group(token, name);
      expect(detail.folder).toBe(expected);
      expect([detail.folder_id === null, detail.drawer_id === null]).toEqual([expected === null, parts.length < 2]);
      expect((await act.list(token)).groups).toMatchObject([{ name, folder: expected }]);
    });
    await fc.assert(property, { numRuns });
    await act.deleteGroup(token, name);
  });

  test("a name is taken just when the pattern takes it", async () => {
    const letter = fc.constantFrom(..."abz019-", "A", "_", ".", " ", "é", "/", "\n", "%", "\0");
    const tail = uniqueName();
    const name = fc.oneof(
      fc.array(letter, { minLength: 1, maxLength: 8 }).map((letters) => letters.join("")),
      fc.constantFrom(1, 2, 62, 63, 64, 65).map((length) => `${tail}${"x".repeat(64)}`.slice(0, length)),
      oddText,
    );
    const property = fc.asyncProperty(name, async (wanted) => {
      const status = await statusOf(act.publish(token, { name: wanted }));
      expect(status).toBe(REPORT_NAME_PATTERN.test(wanted) ? 200 : 400);
      if (status === 200) await act.deleteGroup(token, wanted);
    });
    await fc.assert(property, { numRuns });
    expect((await act.list(token)).groups).toEqual([]);
  });

  test("bytes in base64 and text in UTF-8, each exactly", async () => {
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), oddText, async (bytes, text) => {
      const uploaded = [
        { path: "index.html", content: text.toWellFormed() },
        { path: "data.bin", content: Buffer.from(bytes).toString("base64"), encoding: "base64" as const },
      ];
      const { code } = await act.publish(token, { files: uploaded });
      const [html, data] = await Promise.all([act.read(token, code), act.read(token, code, "data.bin")]);
      expect(await html.bytes()).toEqual(new TextEncoder().encode(text.toWellFormed()));
      expect(await data.bytes()).toEqual(Uint8Array.from(bytes));
      await act.deleteCode(token, code);
    });
    await fc.assert(property, { numRuns });
  });
});
