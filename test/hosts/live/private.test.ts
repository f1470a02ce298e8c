import { beforeAll, expect, test } from "bun:test";
import { describeOneEngine } from "../../support/engines.ts";
import { HTML } from "../../support/readers.ts";
import { uniqueName, useService } from "../../support/service.ts";
import { createPrivateScene, type PrivateScene } from "./private-scene.ts";

describeOneEngine("live links of signed-in people", (engine) => {
  let scene: PrivateScene;
  const service = useService({ engine });

  beforeAll(async () => {
    scene = await createPrivateScene(service);
  });

  test("upload returns a link that opens for its owner, and frames the report with a ticket", async () => {
    const { readers, owner, linkOf, publishNamed } = scene;
    const { name, code, nameUrl } = await publishNamed();
    expect(nameUrl).toBe(linkOf(name));
    const response = await readers.open(`/${name}/`, owner.cookie);
    expect(response.status).toBe(200);
    const html = await response.text();
    const [, src = ""] = /"src":"([^"]+)"/.exec(html) ?? [];
    expect(src).toMatch(new RegExp(`^${service.contentUrl}/~1\\.\\d+\\.[\\w-]{24}\\.[\\w-]{43}/${code}/$`));
    expect(await (await fetch(src)).text()).toContain("<p>Hello");
    expect(html).not.toContain("<p>Hello");
    expect(html).not.toContain("og:");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain(`connect-src ${service.baseUrl} ${service.baseUrl.replace("http", "ws")}`);
    expect(policy).toContain(`frame-src ${service.contentUrl}/;`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(response.headers.get("x-frame-options")).toBe("DENY");
  });

  test("others can't distinguish it from a name that does not exist", async () => {
    const { readers, stranger, publishNamed } = scene;
    const { name } = await publishNamed();
    for (const [cookie, status] of [
      [undefined, 302],
      [stranger.cookie, 404],
    ] as const) {
      for (const part of ["", "~current", "~versions", "more.html"]) {
        const [forbidden, unknown] = await Promise.all(
          [name, uniqueName("none")].map(async (sought) => {
            const response = await readers.open(`/${sought}/${part}`, cookie);
            const { "x-request-id": _, date, ...headers } = Object.fromEntries(response.headers);
            const seen = JSON.stringify({ status: response.status, headers, body: await response.text() });
            return seen.replaceAll(sought, "NAME");
          }),
        );
        expect(forbidden).toBe(unknown ?? "");
        expect(forbidden).toContain(`"status":${part === "" ? status : 404}`);
      }
    }
  });

  test("sign-in leads back to it; a program with a token learns that it opens in a browser", async () => {
    const { readers, owner, publishNamed } = scene;
    const { name } = await publishNamed();
    const sentAway = await readers.open(`/${name}/?a=1`, undefined);
    expect(sentAway.headers.get("location")).toBe(`${service.baseUrl}/-/sign-in?next=%2F${name}%2F%3Fa%3D1`);
    const withToken = await readers.open(`/${name}/`, undefined, { ...HTML, Authorization: `Bearer ${owner.token}` });
    expect(withToken.status).toBe(401);
    expect(await withToken.json()).toEqual({ error: expect.stringContaining("browser") });
    expect((await readers.open(`/${name}/`, undefined, {})).status).toBe(401);
  });

  test.each(["/NAME", "/@OWNER/NAME/", "/@OWNER/NAME"])("%s redirects to its one address", async (form) => {
    const { readers, owner, stranger, linkOf, publishNamed } = scene;
    const { name } = await publishNamed("org");
    const path = form.replace("OWNER", owner.slug).replace("NAME", name);
    const response = await readers.open(path, owner.cookie);
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(linkOf(name));
    expect((await readers.open(path, stranger.cookie)).status).toBe(404);
    expect((await readers.open(path.replace(owner.slug, stranger.slug), owner.cookie)).status).toBe(
      form === "/NAME" ? 302 : 404,
    );
  });

  test("public reports are shown on the content host, for every reader and link", async () => {
    const { readers, owner, stranger, publishNamed } = scene;
    const { name, nameUrl } = await publishNamed("public");
    for (const cookie of [undefined, owner.cookie, stranger.cookie]) {
      for (const path of [`/${name}/?a=1`, `/@${owner.slug}/${name}/?a=1`]) {
        const response = await readers.open(path, cookie);
        expect({ status: response.status, to: response.headers.get("location") }).toEqual({
          status: 302,
          to: `${nameUrl}?a=1`,
        });
      }
    }
  });

  test("a colleague's browser that opens the content host's link is redirected to it", async () => {
    const { linkOf, buildOrganization } = scene;
    const { member, isShared, slug } = await buildOrganization();
    expect(isShared.nameUrl).toBe(`${service.contentUrl}/@${slug}/${isShared.name}/`);
    let response = await fetch(isShared.nameUrl, { headers: HTML, redirect: "manual" });
    for (let hops = 0; response.status === 302 && hops < 3; hops++) {
      const location = response.headers.get("location") ?? "";
      expect(new URL(location).origin).toBe(service.baseUrl);
      response = await fetch(location, { headers: { ...HTML, Cookie: member.cookie }, redirect: "manual" });
    }
    expect(response.status).toBe(200);
    expect(response.url).toBe(linkOf(isShared.name));
  });

  test("opens according to one rule, for members, admins, owners and colleagues", async () => {
    const { stranger, publishNamed, buildOrganization, shows } = scene;
    const { chief, author, member, admin, isPrivate, isShared } = await buildOrganization();
    const opens = async (name: string) => {
      const people = { chief, author, member, admin, stranger };
      const entries = Object.entries(people).map(async ([who, person]) => [who, await shows(name, person)] as const);
      return Object.fromEntries(await Promise.all(entries));
    };
    expect(await opens(isShared.name)).toEqual({
      chief: true,
      author: true,
      member: true,
      admin: true,
      stranger: false,
    });
    expect(await opens(isPrivate.name)).toEqual({
      chief: true,
      author: true,
      member: false,
      admin: true,
      stranger: false,
    });
    const personal = await service.build.token({ userSlug: member.slug });
    const ofColleague = await publishNamed("org", personal);
    expect(await shows(ofColleague.name, author)).toBe(true);
    expect(await shows(ofColleague.name, stranger)).toBe(false);
    const owned = await publishNamed("private", personal);
    expect(await shows(owned.name, chief)).toBe(false);
  });

  test("its bar offers to share it to those who may, and the portal to members", async () => {
    const { readers, publishNamed, buildOrganization } = scene;
    const { author, member, admin, isShared } = await buildOrganization();
    const personal = await service.build.token({ userSlug: member.slug });
    const ofColleague = await publishNamed("org", personal);
    const offers = async (path: string, { cookie }: { cookie: string }) => {
      const html = await (await readers.open(path, cookie)).text();
      return ["share", "portal"].map((part) => new RegExp(`data-part="${part}" href="([^"]*)"`).exec(html)?.[1]);
    };
    const { name, code } = isShared;
    for (const reference of [name, code]) {
      const all = [`/-/r/${reference}?share=true`, `/-/r/${reference}`];
      expect(await offers(`/${reference}/`, author)).toEqual(all);
      expect(await offers(`/${reference}/`, admin)).toEqual(all);
      expect(await offers(`/${reference}/`, member)).toEqual([undefined, `/-/r/${reference}`]);
    }
    expect(await offers(`/${ofColleague.name}/`, author)).toEqual([undefined, undefined]);
    expect(await offers(`/${ofColleague.name}/`, member)).toEqual([
      `/-/r/${ofColleague.name}?share=true`,
      `/-/r/${ofColleague.name}`,
    ]);
  });

  test("the owner can still see a withdrawn version of a public report", async () => {
    const { act, owner, stranger, publishNamed, shows } = scene;
    const { name, code } = await publishNamed("public");
    await act.setVisibility(owner.token, { code, visibility: "private" });
    expect(await shows(name, owner)).toBe(true);
    expect(await shows(name, stranger)).toBe(false);
  });
});
