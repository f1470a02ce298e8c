import { describe, expect, test } from "bun:test";
import { webpOf } from "../../domain/thumbnails/images.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { HTML } from "../../support/readers.ts";
import { knock } from "../live/readers.ts";
import { KINDS, STRANGERS, useHiding } from "./hiding.ts";

const REPORTS = ["/CODE", "/CODE/", "/CODE/index.html", "/CODE/a.css", "/CODE/none"];
const PARTS = ["", "/", "/~current", "/~versions", "/~changes?list&from=CODE", "/~embed", "/~socket"];
/** Questions of the API about a report or a version. */
const QUESTIONS = ["share", "share/links", "seen", "comments", "comments/counts", "comments/people", "changes"];

const ADDRESSES = [
  ...REPORTS.map((path) => `APP${path}`),
  ...["", "/", "/~current", "/~versions", "/~changes?list&from=CODE"].map((part) => `APP/NAME${part}`),
  "APP/CODE/~versions",
  "APP/api/group?name=NAME",
  "APP/api/item?name=NAME",
  "APP/api/item?code=CODE",
  "APP/api/item/versions?name=NAME",
  "APP/api/item/versions?code=CODE",
  "APP/api/report?code=CODE",
  "APP/api/report/file?code=CODE&path=a.css",
  "APP/api/previews?code=CODE",
  "APP/api/thumbnail?code=CODE",
  ...QUESTIONS.flatMap((path) => [`APP/api/${path}?name=NAME`, `APP/api/${path}?code=CODE`]),
  "APP/api/comments/wait?name=NAME&since=0&seconds=0",
  "APP/api/oembed?url=CONTENT/@OWNER/NAME/",
  "APP/api/oembed?url=CONTENT/CODE/",
  ...REPORTS.map((path) => `CONTENT${path}`),
  ...REPORTS.map((path) => `CONTENT/~framed${path}`),
  "CONTENT/~embed/CODE/",
  "CONTENT/~card/CODE.png",
  ...PARTS.map((part) => `CONTENT/@OWNER/NAME${part}`),
];

/** API requests about one report, as JSON. */
const CALLS: readonly (readonly [string, string])[] = [
  ["/api/report/thumbnail", `{"code":"CODE","image":"${webpOf().toString("base64")}"}`],
  ["/api/rename", '{"name":"NAME","newName":"another-name"}'],
  ["/api/set-visibility", '{"name":"NAME","visibility":"public"}'],
  ["/api/set-visibility", '{"code":"CODE","visibility":"public"}'],
  ["/api/set-folder", '{"name":"NAME","folder":"Mine"}'],
  ["/api/set-folder", '{"code":"CODE","folder":"Mine"}'],
  ["/api/setlatest", '{"name":"NAME","code":"CODE"}'],
  ["/api/delete-code", '{"code":"CODE"}'],
  ["/api/delete-group", '{"name":"NAME"}'],
  ...['{"name":"NAME"', '{"code":"CODE"'].flatMap((start): [string, string][] => [
    ["/api/share/org", `${start},"shared":true}`],
    ["/api/share/people", `${start},"add":["grace@example.org"]}`],
    ["/api/share/links/create", `${start}}`],
    ["/api/share/requests/create", `${start}}`],
    ["/api/protect", `${start},"protected":true}`],
    ["/api/report/title", `${start},"title":"Mine"}`],
    ["/api/comments/create", `${start},"text":"Mine"}`],
    ["/api/items/delete", `{"items":[${start}}]}`],
    ["/api/items/tags", `{"items":[${start}}],"set":[]}`],
    ["/api/items/set-folder", `{"items":[${start}}],"folder_id":null}`],
    ["/api/items/share", `{"items":[${start},"visibility":"public"}]}`],
  ]),
  ["/api/report/storage", '{"code":"CODE","storage":"memory"}'],
];

describeOneEngine("a hidden report is answered like one that never existed", (engine) => {
  const hiding = useHiding(engine);

  describe.each(STRANGERS)("to %s", (stranger) => {
    test.each(ADDRESSES)("at %s", async (address) => {
      for (const headers of [HTML, { Accept: "*/*" }]) {
        const answers = await Promise.all(
          KINDS.map(async (kind) => {
            const response = await hiding.ask(address, kind, stranger, { headers });
            // People who have such an address received it from someone; the other host knows whether they are signed in.
            const isSentOn = kind === "shared with others" && response.status === 302 && headers === HTML;
            if (!isSentOn || !address.startsWith("CONTENT/CODE/")) return hiding.tell(response, kind);
            expect(response.headers.get("location")).toStartWith(hiding.fillIn("APP/CODE/", kind));
            return undefined;
          }),
        );
        const [unknown, ...rest] = answers.filter((answer) => answer !== undefined);
        for (const answer of rest) expect(answer).toBe(unknown ?? "");
      }
    });

    test.each(CALLS)("with POST %s %s", async (path, body) => {
      const headers = { "Content-Type": "application/json", Origin: hiding.service.baseUrl };
      const answers = await Promise.all(
        KINDS.map(async (kind) => {
          const init = { method: "POST", headers, body: hiding.fillIn(body, kind) };
          return hiding.tell(await hiding.ask(`APP${path}`, kind, stranger, init), kind);
        }),
      );
      for (const answer of answers) expect(answer).toBe(answers[0] ?? "");
    });
  });

  test("on its socket", async () => {
    const answers = await Promise.all(
      KINDS.map(async (kind) => {
        const link = hiding.fillIn("CONTENT/@OWNER/NAME/", kind);
        const { status, headers } = await knock(link, { Origin: hiding.service.contentUrl });
        return [status, headers.get("content-length"), headers.get("content-type")];
      }),
    );
    expect(answers).toEqual(KINDS.map(() => answers[0] ?? []));
    expect(answers[0]?.[0]).toBe(404);
  });
});
