import { beforeAll, expect, test } from "bun:test";
import { createVersionChanges } from "../../../src/hosts/http/changes/version-changes.ts";
import { PASS_HEADER } from "../../../src/hosts/live/messages.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { uniqueName, useService } from "../../support/service.ts";
import { nextTurn } from "../../support/until.ts";
import { actionsOf } from "../app/actions.ts";
import { type Guests, guestsOf, setGuestPassword } from "../app/sharing/guests.ts";

const pageWith = (total: number) => [{ path: "index.html", content: `<h1>Sales</h1><p>Total: ${total} units</p>` }];

describeOneEngine("what changed, beside a live link", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let guests: Guests;
  let token: string;

  beforeAll(async () => {
    guests = guestsOf(service);
    ({ token } = await service.build.user());
  });

  async function publish(name: string, total: number, visibility: "public" | "private" = "public") {
    const { code, nameUrl = "" } = await act.publish(token, { name, visibility, files: pageWith(total) });
    return { code, link: nameUrl };
  }

  const ask = (link: string, from: string, more = "", headers: Record<string, string> = {}) =>
    fetch(`${link}~changes?from=${from}${more}`, { headers });

  test("one line for everyone, and the list with anchors for those who ask", async () => {
    const name = uniqueName();
    const { code: first } = await publish(name, 10);
    const { link } = await publish(name, 25);
    const short = await ask(link, first);
    expect([short.status, await short.json()]).toEqual([200, { summary: "1 number", total: 1 }]);
    const full = await ask(link, first, "&list");
    expect(await full.json()).toMatchObject({
      summary: "1 number",
      changes: [{ kind: "number", before: "10", after: "25", percentage: 150, anchor: { kind: "text", quote: "25" } }],
    });
    const etag = short.headers.get("etag") ?? "";
    expect((await ask(link, first, "", { "If-None-Match": etag })).status).toBe(304);
  });

  test("answers alike for versions that don't exist, are withdrawn, or belong to other reports", async () => {
    const name = uniqueName();
    const { code: first } = await publish(name, 10);
    const { link } = await publish(name, 25);
    const { code: foreign } = await publish(uniqueName(), 10);
    await act.setVisibility(token, { code: first, visibility: "private" });
    for (const from of ["", "x", "a".repeat(22), foreign, first]) expect((await ask(link, from)).status).toBe(404);
    const hidden = uniqueName();
    const { code: secret } = await publish(hidden, 10, "private");
    await publish(hidden, 25, "private");
    expect((await ask(`${service.baseUrl}/${hidden}/`, secret)).status).toBe(404);
  });

  test("guests compare with what their link has shown, and with nothing older", async () => {
    const name = uniqueName();
    const { code: old } = await publish(name, 1, "private");
    const { code: first } = await publish(name, 10, "private");
    const { id, url } = await guests.create(token, { name });
    const pinned = await guests.create(token, { code: first });
    await publish(name, 25, "private");
    const answer = await ask(url, first);
    expect(await answer.json()).toEqual({ summary: "1 number", total: 1 });
    expect((await ask(url, old)).status).toBe(404);
    expect((await ask(pinned.url, old)).status).toBe(404);
    await setGuestPassword(service, id, "open sesame");
    expect((await ask(url, first)).status).toBe(404);
    expect((await ask(url, first, "", { [PASS_HEADER]: "wrong" })).status).toBe(404);
  });
});

test("all who ask for the same two versions share one comparison, and failures are forgotten", async () => {
  let count = 0;
  let isFailing = true;
  const find = createVersionChanges({
    reading: { readPage: async (code, path) => ({ html: `<p>${code}</p>`, path, digests: {} }) },
    async comparePages() {
      count++;
      if (isFailing) throw new Error("It took too long.");
      return {
        changes: [],
        anchors: [],
        summary: { sentence: "", total: 0 },
        isCut: false,
        isDrawnByScripts: false,
        changedFiles: undefined,
      };
    },
  });
  const ask = () => find({ from: "a", to: "b", user: "report 1" });
  expect(ask()).rejects.toThrow("too long");
  await nextTurn();
  isFailing = false;
  await Promise.all(Array.from({ length: 10_000 }, ask));
  expect(count).toBe(2);
});
