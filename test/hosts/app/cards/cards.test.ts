import { beforeAll, describe, expect, test } from "bun:test";
import { oembedRoute } from "../../../../src/contract/cards/cards.ts";
import { updateGuestLinkRoute } from "../../../../src/contract/sharing/guest-links.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { publishReport, uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { guestsOf } from "../sharing/guests.ts";

const oembedCase = casesOf<typeof oembedRoute>();

const TITLE = 'Sales & <b>"costs"</b>';

/** What the programs that preview links send, as their operators document it. */
const BOTS = [
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "Twitterbot/1.0",
  "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
];

describeOneEngine("cards", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let user: { slug: string; token: string };

  beforeAll(async () => {
    user = await service.build.user();
  });

  async function publish(visibility: "public" | "private") {
    const name = uniqueName();
    const { code } = await publishReport(service.client(user.token), { name, visibility, title: TITLE });
    return { name, code, live: `${service.contentUrl}/@${user.slug}/${name}/` };
  }

  const fetchAs = (agent: string, url: string) => fetch(url, { headers: { "User-Agent": agent, Accept: "*/*" } });
  /** Everything about a response that could tell one link from another. */
  async function seenOf(response: Response, ...own: string[]) {
    const headers = Object.fromEntries(response.headers);
    for (const name of ["date", "x-request-id", "x-padding"]) delete headers[name];
    const text = own.reduce((known, part) => known.replaceAll(part, "…"), await response.text());
    return { status: response.status, headers, text };
  }
  const oembed = (url: string) => `${service.baseUrl}/api/oembed?url=${encodeURIComponent(url)}`;
  const cardUrl = (code: string) => `${service.contentUrl}/~card/${code}.png`;

  describe("of public reports", () => {
    test.each(BOTS)("are on the page of the live link (%s)", async (agent) => {
      const { name, code, live } = await publish("public");
      for (const url of [live, `${service.baseUrl}/${name}/`]) {
        const page = await (await fetchAs(agent, url)).text();
        const head = page.slice(0, page.indexOf("<style"));
        expect(head).toContain('<meta property="og:title" content="Sales &amp; &lt;b&gt;&quot;costs&quot;&lt;/b&gt;">');
        expect(head).toContain(`<meta property="og:image" content="${cardUrl(code)}">`);
        expect(head).toContain('<meta name="twitter:card" content="summary_large_image">');
        expect(head).toContain(`<meta property="og:url" content="${live}">`);
        const discovery = /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/.exec(head)?.[1] ?? "";
        const found = await fetchAs(agent, discovery.replaceAll("&amp;", "&"));
        expect(oembedRoute.response.parse(await found.json()).title).toBe(TITLE);
      }
    });

    test("are named by a header of the version link, whose page stays as it was published", async () => {
      const { code } = await publish("public");
      const response = await fetch(`${service.contentUrl}/${code}/`);
      const link = response.headers.get("link") ?? "";
      expect(link).toEndWith('; rel="alternate"; type="application/json+oembed"');
      const found = await fetch(/<([^>]+)>/.exec(link)?.[1] ?? "");
      expect(await found.json()).toMatchObject({ title: TITLE, author_name: user.slug });
      expect(await response.text()).not.toContain("og:");
      const own = await act.read(user.token, code);
      expect(own.headers.get("link")).toBeNull();
    });

    test("are pictures that other sites can show and revalidate", async () => {
      const { code } = await publish("public");
      const response = await fetch(cardUrl(code));
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("image/png");
      expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
      const picture = Buffer.from(await response.bytes());
      expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630]);
      const etag = response.headers.get("etag") ?? "";
      expect((await fetch(cardUrl(code), { headers: { "If-None-Match": etag } })).status).toBe(304);
      expect(Buffer.from(await (await fetch(cardUrl(code))).bytes()).equals(picture)).toBe(true);
    });

    test("are gone when the report is no longer public", async () => {
      const { name, code, live } = await publish("public");
      expect((await fetch(cardUrl(code))).status).toBe(200);
      await act.setVisibility(user.token, { name, visibility: "private" });
      expect((await fetch(cardUrl(code))).status).toBe(404);
      expect((await fetch(oembed(live))).status).toBe(404);
      expect((await fetch(oembed(`${service.contentUrl}/${code}/`))).status).toBe(404);
    });
  });

  test.each(BOTS)("tell private reports from missing ones nowhere (%s)", async (agent) => {
    const { name, code } = await publish("private");
    // As long as those of the private report, because answers have a length.
    const [noName, noCode] = [`x${name.slice(1)}`, "A".repeat(16)];
    const addresses = (its: string, itsCode: string) => [
      `${service.contentUrl}/@${user.slug}/${its}/`,
      `${service.baseUrl}/@${user.slug}/${its}/`,
      `${service.baseUrl}/${its}/`,
      `${service.baseUrl}/${itsCode}/`,
      `${service.contentUrl}/${itsCode}/`,
      `${service.contentUrl}/~embed/${itsCode}/`,
      cardUrl(itsCode),
      oembed(`${service.contentUrl}/@${user.slug}/${its}/`),
      oembed(`${service.baseUrl}/${its}/`),
      oembed(`${service.contentUrl}/${itsCode}/`),
    ];
    const missing = addresses(noName, noCode);
    for (const [index, url] of addresses(name, code).entries()) {
      const response = await seenOf(await fetchAs(agent, url), name, code);
      expect(response.text).not.toContain("Sales");
      expect(response).toEqual(await seenOf(await fetchAs(agent, missing[index] ?? ""), noName, noCode));
    }
  });

  describe("of guest links", () => {
    const guests = guestsOf(service);

    async function share(limits: { preview?: boolean; embed_origins?: string[] } = {}) {
      const { name, code } = await publish("private");
      return { name, code, ...(await guests.create(user.token, { name, ...limits })) };
    }
    const usesOf = async (name: string) => (await guests.list(user.token, { name }))[0]?.uses;

    test.each(BOTS)(
      "are on the page of a link with a preview, and loading them doesn't open it (%s)",
      async (agent) => {
        const { url, name } = await share({ preview: true });
        const response = await fetchAs(agent, url);
        expect(response.headers.get("x-robots-tag")).toContain("noindex");
        const page = await response.text();
        const head = page.slice(0, page.indexOf("<style"));
        expect(head).toContain('<meta property="og:title" content="Sales &amp; &lt;b&gt;&quot;costs&quot;&lt;/b&gt;">');
        expect(head).toContain(`<meta property="og:url" content="${url}">`);
        expect(head).toContain(`<meta property="og:image" content="${url}~card.png">`);
        const discovery = /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/.exec(head)?.[1] ?? "";
        const found = oembedRoute.response.parse(
          await (await fetchAs(agent, discovery.replaceAll("&amp;", "&"))).json(),
        );
        expect(found).toMatchObject({
          type: "link",
          title: TITLE,
          author_name: user.slug,
          thumbnail_url: `${url}~card.png`,
        });
        expect(found.html).toBeUndefined();
        const picture = await fetchAs(agent, found.thumbnail_url);
        expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
        expect(picture.headers.get("cache-control")).toBe("no-store");
        expect(picture.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
        await picture.bytes();
        expect(await usesOf(name)).toBe(0);
      },
    );

    test("have a frame where the link can be embedded", async () => {
      const { url } = await share({ preview: true, embed_origins: ["https://www.notion.so"] });
      const { type, html, width } = oembedRoute.response.parse(await (await fetch(oembed(url))).json());
      expect([type, width]).toEqual(["rich", 800]);
      expect(html).toStartWith(`<iframe src="${url}" title="Sales &amp;`);
      expect(html).not.toContain("sandbox");
    });

    test("tell links without a preview from revoked and unknown ones nowhere", async () => {
      const [plain, revoked] = [await share(), await share({ preview: true })];
      await guests.revoke(user.token, revoked.id);
      const unknown = `${service.baseUrl}/s/${"A".repeat(43)}/`;
      const answersOf = async (url: string) => [
        await seenOf(await fetchAs("Slackbot", `${url}~card.png`), url),
        await seenOf(await fetchAs("Slackbot", oembed(url)), url),
      ];
      const expected = await answersOf(unknown);
      expect(expected.map(({ status }) => status)).toEqual([404, 404]);
      expect(await answersOf(plain.url)).toEqual(expected);
      expect(await answersOf(revoked.url)).toEqual(expected);
      expect(await (await fetchAs("Slackbot", plain.url)).text()).not.toContain("og:");
    });

    test("come and go when the link is changed, and end when its report is deleted", async () => {
      const { url, id, name } = await share();
      const change = (preview: boolean) =>
        service.client(user.token).call(updateGuestLinkRoute, { body: { id, preview } });
      expect((await change(true)).preview).toBe(true);
      expect((await fetch(oembed(url))).status).toBe(200);
      await change(false);
      expect((await fetch(oembed(url))).status).toBe(404);
      await change(true);
      await act.deleteGroup(user.token, name);
      expect((await fetch(oembed(url))).status).toBe(404);
      expect((await fetch(`${url}~card.png`)).status).toBe(404);
    });
  });

  testCases(() => service, oembedRoute, [
    oembedCase({
      name: "a live link",
      given: () => publish("public"),
      request: ({ live }) => ({ query: { url: live } }),
      status: 200,
      check: ({ html, width, height }, { live }) => {
        expect([width, height]).toEqual([800, 600]);
        expect(html).toStartWith(
          `<iframe src="${live}~embed" title="Sales &amp; &lt;b&gt;&quot;costs&quot;&lt;/b&gt;" width="800" height="600"`,
        );
        expect(html).toContain('sandbox="allow-scripts');
      },
    }),
    oembedCase({
      name: "a version link, into a small frame",
      given: () => publish("public"),
      request: ({ code }) => ({
        query: { url: `${service.contentUrl}/${code}/`, maxwidth: "320", maxheight: "1000", format: "json" },
      }),
      status: 200,
      check: ({ html, width, height, thumbnail_url }, { code }) => {
        expect([width, height]).toEqual([320, 600]);
        expect(html).toContain(`src="${service.contentUrl}/~embed/${code}/"`);
        expect(thumbnail_url).toBe(cardUrl(code));
      },
    }),
    oembedCase({
      name: "the link of another owner",
      given: () => publish("public"),
      request: ({ name }) => ({ query: { url: `${service.contentUrl}/@nobody/${name}/` } }),
      status: 404,
      error: /^No public report found at /,
    }),
    oembedCase({
      name: "another server",
      given: () => publish("public"),
      request: ({ code }) => ({ query: { url: `https://example.org/${code}/` } }),
      status: 404,
      error: /^No public report found at "https:\/\/example\.org/,
    }),
    oembedCase({
      name: "no address at all",
      given: () => ({}),
      request: () => ({ query: { url: "weekly sales" } }),
      status: 404,
      error: /^No public report found at "weekly sales"/,
    }),
    oembedCase({ name: "no url", given: () => ({}), request: () => ({}), status: 400, error: /url/ }),
    oembedCase({
      name: "XML",
      given: () => publish("public"),
      request: ({ live }) => ({ query: { url: live, format: "xml" } }),
      status: 400,
      error: "format must be json",
    }),
    oembedCase({
      name: "a width that is none",
      given: () => publish("public"),
      request: ({ live }) => ({ query: { url: live, maxwidth: "wide" } }),
      status: 400,
      error: "maxwidth must be a number",
    }),
  ]);
});
