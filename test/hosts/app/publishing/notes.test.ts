import { beforeAll, expect, test } from "bun:test";
import { itemVersionsRoute, reportRoute } from "../../../../src/contract/reports/details.ts";
import { groupRoute } from "../../../../src/contract/reports/named-reports.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { buildUpload, uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { encodeForm, indexPart } from "./forms.ts";
import { accepted, expectRefused, postUpload } from "./upload-support.ts";

const BROKEN = [{ path: "index.html", content: "<script>localStorage.a</script><img src=/x.png><img src=gone.png>" }];

describeOneEngine("what is kept of a publish", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let token: string;

  beforeAll(async () => {
    ({ token } = await service.build.user());
  });

  const report = (code: string) => service.client(token).call(reportRoute, { query: { code } });
  const notesOf = async (name: string) => {
    const { versions } = await service.client(token).call(itemVersionsRoute, { query: { name } });
    return versions.map(({ note }) => note);
  };

  test("a note belongs to its version", async () => {
    const name = uniqueName();
    const first = await act.publish(token, { name });
    const second = await act.publish(token, { name, note: "  Added returns\nand 四月 😀 " });
    expect(await notesOf(name)).toEqual(["Added returns\nand 四月 😀", null]);
    expect(await report(second.code)).toMatchObject({ note: "Added returns\nand 四月 😀", warnings: [] });
    expect(await report(first.code)).toMatchObject({ note: null });
    expect(await act.publish(token, { name, note: null as never })).toMatchObject({ warnings: [] });
  });

  test("a form can have a note", async () => {
    const name = uniqueName();
    const field = (field: string, content: string) => ({ name: field, content });
    const { type, body } = encodeForm([indexPart(), field("name", name), field("note", "From a form")]);
    await accepted(await postUpload(service, { token, body, headers: { "Content-Type": type } }));
    expect(await notesOf(name)).toEqual(["From a form"]);
    const empty = encodeForm([indexPart(), field("note", "")]);
    const refused = await postUpload(service, { token, body: empty.body, headers: { "Content-Type": empty.type } });
    await expectRefused(refused, 400, "note can't be empty");
  });

  test.each([
    ["500 characters", "😀".repeat(500), 200],
    ["501 characters", "😀".repeat(501), 400],
    ["nothing but spaces", "  \n ", 400],
    ["a NUL", "a\0b", 400],
    ["a number", 5, 400],
  ])("a note with %s → %d", async (_what, note, status) => {
    const response = await postUpload(service, {
      token,
      body: JSON.stringify(buildUpload({ note: note as string })),
      headers: { "Content-Type": "application/json" },
    });
    if (status === 200) await accepted(response);
    else await expectRefused(response, status, /^note /);
  });

  test("warnings are kept in the words in which they were given", async () => {
    const { code, warnings } = await act.publish(token, { files: BROKEN });
    expect(warnings).toHaveLength(3);
    expect((await report(code)).warnings).toEqual(warnings);
  });

  test("so are those about fields that a new version ignores", async () => {
    const name = uniqueName();
    const first = await act.publish(token, { name, folder: "A", visibility: "public" });
    expect(first.warnings).toEqual([]);
    const wishes = [
      { visibility: "private" },
      { visibility: "public" },
      { folder: "B" },
      { folder: "A" },
      { visibility: "org", folder: "B/C" },
    ] as const;
    for (const wish of wishes) {
      for (const files of [undefined, BROKEN]) {
        const { code, warnings } = await act.publish(token, {
          name,
          ...wish,
          ...(files === undefined ? {} : { files }),
        });
        expect((await report(code)).warnings).toEqual(warnings);
      }
    }
    const { warnings } = await act.publish(token, { name, visibility: "org", folder: "B/C" });
    expect(warnings).toHaveLength(2);
    await act.setVisibility(token, { name, visibility: "private" });
    expect(await service.client(token).call(groupRoute, { query: { name } })).toMatchObject({ folder: "A" });
  });

  test("a repeated request gets the same answer, and keeps what the first one said", async () => {
    const body = buildUpload({ name: uniqueName(), note: "Once", files: BROKEN });
    const send = (more: object = {}) =>
      postUpload(service, {
        token,
        body: JSON.stringify({ ...body, ...more }),
        headers: { "Content-Type": "application/json", "Idempotency-Key": body.name ?? "" },
      });
    const first = await accepted(await send());
    expect(await accepted(await send())).toEqual(first);
    expect(await report(first.code)).toMatchObject({ note: "Once", warnings: first.warnings });
    await expectRefused(await send({ note: "Twice" }), 409, /Idempotency-Key/);
  });
});
