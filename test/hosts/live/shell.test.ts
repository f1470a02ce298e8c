import { beforeAll, describe, expect, test } from "bun:test";
import { read, stableHeaders } from "../../support/content.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { many } from "../../support/many.ts";
import { type buildUpload, uniqueName, useOwnService } from "../../support/service.ts";
import { actionsOf } from "../app/actions.ts";
import { currentOf } from "./readers.ts";

const HOSTILE = `</title><script>alert(1)</script>"'><!-- & \u2028 é`;
const pathOf = (link: string) => new URL(link).pathname;

describeOneEngine("the page of a live link", (engine) => {
  const service = useOwnService({ engine });
  const act = actionsOf(service);
  let token: string;
  let slug: string;

  beforeAll(async () => {
    ({ token, slug } = await service.build.user());
  });

  async function publishNamed(details: Partial<ReturnType<typeof buildUpload>> = {}) {
    const name = uniqueName();
    const { code, nameUrl = "" } = await act.publish(token, { name, visibility: "public", ...details });
    return { name, code, link: nameUrl, path: `/@${slug}/${name}/` };
  }

  /** Returns a response without the headers that vary between requests. */
  async function pageAt(path: string) {
    const { status, headers, body } = await read(service, path, { Accept: "text/html" });
    return { status, headers: stableHeaders(headers), body: body.toString() };
  }

  test("frames the report's current version, and is never the report itself", async () => {
    const { name, link } = await publishNamed();
    const [first = "", second = ""] = await act.publishVersions(token, name, 2);
    const html = await (await fetch(link)).text();
    expect(html).toContain(`"src":"${service.contentUrl}/${second}/"`);
    expect(html).not.toContain("<p>Hello");
    await act.setLatest(token, name, first);
    expect(await (await fetch(link)).text()).toContain(`"src":"${service.contentUrl}/${first}/"`);
  });

  test("redirects to the address with a trailing slash", async () => {
    const { path } = await publishNamed();
    const { status, headers } = await read(service, path.slice(0, -1));
    expect(status).toBe(308);
    expect(headers.get("location")).toBe(path);
  });

  /** Requests a page as a browser, which is redirected to the application host in every case. */
  async function sentAway(path: string) {
    const { status, headers, body } = await pageAt(path);
    const { location, ...others } = headers;
    expect({ status, location }).toEqual({ status: 302, location: service.baseUrl + path });
    return { body, others };
  }

  test("answers alike for unknown, private, foreign, withdrawn and deleted reports", async () => {
    const unknown = await sentAway(`/@${slug}/${uniqueName()}/`);
    const stranger = await service.build.user();
    const isPrivate = await publishNamed({ visibility: "private" });
    const isOrg = await publishNamed({ visibility: "org" });
    const isPublic = await publishNamed();
    const withdrawn = await publishNamed();
    await act.setVisibility(token, { code: withdrawn.code, visibility: "private" });
    const deleted = await publishNamed();
    await act.deleteGroup(token, deleted.name);
    const paths = [
      isPrivate.path,
      isOrg.path,
      withdrawn.path,
      deleted.path,
      `/@${stranger.slug}/${isPublic.name}/`,
      `/@nobody/${isPublic.name}/`,
    ];
    for (const path of paths) {
      expect(await sentAway(path)).toEqual(unknown);
      for (const part of ["", "~current", "~versions"]) {
        const data = await read(service, path + part);
        expect({ path, status: data.status, body: data.body.toString() }).toEqual({
          path,
          status: 404,
          body: '{"error":"There is no such report or file."}',
        });
      }
    }
  });

  test("serves the current version as data, and 304 until it changes", async () => {
    const { name, path, link } = await publishNamed({ title: "One" });
    const [first, second] = await act.publishVersions(token, name, 2);
    expect(await currentOf(link)).toEqual({
      name,
      code: second ?? "",
      version_no: 3,
      title: "Version 2",
      storage: "none",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      src: `${service.contentUrl}/${second}/`,
    });
    const { headers } = await read(service, `${path}~current`);
    const etag = { "If-None-Match": headers.get("etag") ?? "" };
    expect((await read(service, `${path}~current`, etag)).status).toBe(304);
    await act.setLatest(token, name, first ?? "");
    expect((await read(service, `${path}~current`, etag)).status).toBe(200);
  });

  test("lists versions newest first, without withdrawn ones", async () => {
    const { name, code, path } = await publishNamed();
    const [second = "", third = ""] = await act.publishVersions(token, name, 2);
    const offered = async () => {
      const { versions } = JSON.parse((await read(service, `${path}~versions`)).body.toString());
      return versions.map((version: { code: string }) => version.code);
    };
    expect(await offered()).toEqual([third, second, code]);
    await act.setVisibility(token, { code: second, visibility: "private" });
    expect(await offered()).toEqual([third, code]);
  });
});

describe("the page of a live link", () => {
  const service = useOwnService();
  const act = actionsOf(service);
  let token: string;

  beforeAll(async () => {
    token = (await service.build.user({ slug: "ada" })).token;
  });

  test("has headers that only allow framing content", async () => {
    const { nameUrl = "" } = await act.publish(token, { name: uniqueName(), visibility: "public" });
    const answers = [await read(service, pathOf(nameUrl)), await read(service, pathOf(nameUrl))];
    const nonces = answers.map(({ headers, body }) => {
      const policy = headers.get("content-security-policy") ?? "";
      const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
      const { contentUrl } = service;
      expect(policy.split("; ")).toEqual([
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        `worker-src ${contentUrl}/~shell/`,
        `style-src 'nonce-${nonce}'`,
        `connect-src ${contentUrl} ${contentUrl.replace("http", "ws")}`,
        `img-src ${contentUrl}/favicon.svg ${contentUrl}/favicon.ico`,
        `frame-src ${contentUrl}/`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]);
      expect(nonce.length).toBeGreaterThanOrEqual(22);
      expect(body.toString()).toContain(`<script nonce="${nonce}">`);
      expect(Object.fromEntries(headers)).toMatchObject({
        "cache-control": "no-store",
        "content-type": "text/html; charset=utf-8",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
      });
      expect(headers.has("set-cookie") || headers.has("access-control-allow-origin")).toBe(false);
      return nonce;
    });
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test("gives the frame only a published page's permissions", async () => {
    const { nameUrl = "", url } = await act.publish(token, { name: uniqueName(), visibility: "public" });
    const html = (await read(service, pathOf(nameUrl))).body.toString();
    const frame = /<iframe [^>]*>/.exec(html)?.[0];
    const { headers } = await read(service, pathOf(url));
    const sandbox = /^sandbox ([^;]+)/.exec(headers.get("content-security-policy") ?? "")?.[1];
    expect(frame).toContain(`sandbox="${sandbox}"`);
    expect(frame).toContain('allow="fullscreen *; clipboard-write *"');
    expect(frame).not.toContain("allow-same-origin");
  });

  test("is at most 10 KB compressed, and works without compression", async () => {
    const { nameUrl = "" } = await act.publish(token, { name: uniqueName(), visibility: "public" });
    const path = pathOf(nameUrl);
    const { headers, body } = await read(service, path, { "Accept-Encoding": "gzip, br" });
    expect(headers.get("content-encoding")).toBe("br");
    expect(headers.get("vary")).toBe("Accept-Encoding");
    expect(body.length).toBeLessThan(10 * 1024);
    const plain = await read(service, path);
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(plain.body.toString()).toStartWith("<!doctype html>\n<html lang=");
    expect((await read(service, path, {}, "HEAD")).status).toBe(200);
    expect((await read(service, path, {}, "POST")).status).toBe(405);
  });

  test("has previews for other sites, and escapes the title everywhere", async () => {
    const name = uniqueName();
    const { nameUrl = "" } = await act.publish(token, { name, visibility: "public", title: HOSTILE });
    const html = (await read(service, pathOf(nameUrl))).body.toString();
    const metas = new Map<string, string>();
    let headline = "";
    let scripts = 0;
    new HTMLRewriter()
      .on("meta", {
        element: (meta) => {
          const key = meta.getAttribute("property") ?? meta.getAttribute("name") ?? "";
          metas.set(key, decodeMarks(meta.getAttribute("content") ?? ""));
        },
      })
      .on("h1", {
        text: ({ text }) => {
          headline += text;
        },
      })
      .on("script", {
        element: () => {
          scripts++;
        },
      })
      .transform(html);
    expect(scripts).toBe(2);
    expect(decodeMarks(headline)).toBe(HOSTILE);
    expect(html).not.toContain("<script>alert");
    expect(Object.fromEntries(metas)).toMatchObject({
      "og:title": HOSTILE,
      "og:url": nameUrl,
      "og:site_name": "Vitrine",
      "og:description": expect.stringMatching(/^Version 1, published \d{4}-\d\d-\d\d by ada$/),
      "twitter:card": "summary_large_image",
      "twitter:title": HOSTILE,
    });
    const state = /<script id="state"[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "";
    expect(JSON.parse(state)).toMatchObject({ title: HOSTILE, name });
  });

  test.each([
    "/@ada",
    "/@ada/",
    "/@",
    "/@/x/",
    "/@ada/NAME/x/y",
    "/@ada/NAME/x",
    "/@ada/NAME//",
    "/@ADA/NAME/",
    "/@ada/%/",
  ])("%s doesn't exist", async (path) => {
    const { nameUrl = "" } = await act.publish(token, { name: uniqueName(), visibility: "public" });
    const name = pathOf(nameUrl).split("/")[2] ?? "";
    expect((await read(service, path.replace("NAME", name))).status).toBe(404);
  });

  test("offers at most the newest 200 versions", async () => {
    const name = uniqueName();
    const { nameUrl = "" } = await act.publish(token, { name, visibility: "public" });
    await many(204, () => act.publish(token, { name }));
    const { versions } = JSON.parse((await read(service, `${pathOf(nameUrl)}~versions`)).body.toString());
    expect(versions.map((version: { version_no: number }) => version.version_no)).toEqual(
      Array.from({ length: 200 }, (_, place) => 205 - place),
    );
  });
});

const MARKS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const decodeMarks = (text: string) => text.replace(/&(\w+|#39);/g, (_, name: string) => MARKS[name] ?? "?");
