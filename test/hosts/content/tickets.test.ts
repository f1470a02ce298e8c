import { beforeAll, describe, expect, test } from "bun:test";
import { newCode } from "../../../src/domain/model/codes.ts";
import { SESSION_SECONDS, sessionRef } from "../../../src/domain/people/sessions.ts";
import { createTickets } from "../../../src/domain/private-links/tickets.ts";
import { stableHeaders } from "../../support/content.ts";
import { executeSql } from "../../support/direct-sql.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { HTML, type Person, REPORT_FILES, readersOf, statusOf } from "../../support/readers.ts";
import { clock, random, uniqueName, useService } from "../../support/service.ts";
import { post, signIn } from "../../support/sessions.ts";
import { actionsOf } from "../app/actions.ts";

const SECRET = "a secret of the test, 32 characters or more";
describeOneEngine("tickets", (engine) => {
  const service = useService({ engine, environment: { VITRINE_SECRET: SECRET } });
  const act = actionsOf(service);
  const readers = readersOf(service);
  let owner: Person;

  beforeAll(async () => {
    owner = await readers.person();
  });

  test("the owner gets a shell around the report, and the report with all its files", async () => {
    const { code } = await act.publish(owner.token, { files: REPORT_FILES });
    const response = await readers.open(`/${code}/`, owner.cookie);
    expect(response.status).toBe(200);
    const body = await response.text();
    expect(body).toContain("<title>Ours &amp; &lt;b&gt;yours&lt;/b&gt; · report by ");
    expect(body).not.toContain('rel="stylesheet"');
    const src = await readers.openedFrame(code, owner);
    expect(src).toMatch(
      new RegExp(`^${service.contentUrl}/~1\\.\\d{10}\\.[\\w-]{24}\\.[\\w-]{43}/${code}/index\\.html$`),
    );
    for (const { path, content } of REPORT_FILES) {
      const file = await fetch(src.replace("index.html", path));
      expect(await file.text()).toBe(content);
      expect(file.headers.get("cache-control")).toBe("private, no-store");
      expect(file.headers.get("access-control-allow-origin")).toBe("*");
      expect(file.headers.get("content-security-policy")).toStartWith("sandbox allow-scripts");
      expect(file.headers.get("set-cookie")).toBeNull();
    }
    expect(await statusOf(src.replace("index.html", "none.css"))).toBe(404);
  });

  describe("a ticket", () => {
    const ticketOf = (src: string) => src.split("/")[3] ?? "";
    const at = (ticket: string, code: string) => `${service.contentUrl}/${ticket}/${code}/index.html`;

    test("opens no other report, not even of the same owner", async () => {
      const [first, second] = [
        await act.publish(owner.token, { files: REPORT_FILES }),
        await act.publish(owner.token, { files: REPORT_FILES }),
      ];
      const ticket = ticketOf(await readers.openedFrame(first.code, owner));
      expect(await statusOf(at(ticket, first.code))).toBe(200);
      expect(await statusOf(at(ticket, second.code))).toBe(404);
    });

    test("that was tampered with, has expired or belongs to no session opens nothing", async () => {
      const { code } = await act.publish(owner.token, { files: REPORT_FILES });
      const ticket = ticketOf(await readers.openedFrame(code, owner));
      const [version, expiry, ref, mac] = ticket.split(".");
      const later = [version, String(Number(expiry) + 1), ref, mac].join(".");
      const unknown = { ref: sessionRef("ses_none"), expiresAt: clock.now() + SESSION_SECONDS * 1000 };
      const past = createTickets({ secret: SECRET, clock: { now: () => clock.now() - 9 * 60 * 60_000 } });
      const bad = [
        later,
        ticket.slice(0, -1),
        `${ticket}A`,
        "~1.2.3.4",
        "~",
        createTickets({ secret: SECRET, clock }).issue(code, unknown),
        past.issue(code, { ref: ref ?? "", expiresAt: clock.now() + SESSION_SECONDS * 1000 }),
      ];
      for (const each of bad) expect(await statusOf(at(each, code))).toBe(404);
      expect(await statusOf(at(ticket, code))).toBe(200);
    });

    test("that is invalid gets exactly the page of one that never existed", async () => {
      const { code } = await act.publish(owner.token, { files: REPORT_FILES });
      const pageAt = async (url: string) => {
        const response = await fetch(url, { headers: HTML });
        return { status: response.status, headers: stableHeaders(response.headers), body: await response.text() };
      };
      const ticket = ticketOf(await readers.openedFrame(code, owner));
      const unknown = await pageAt(`${service.contentUrl}/${newCode(random)}/`);
      expect(unknown.status).toBe(404);
      expect(unknown.body).toContain(`${service.baseUrl}/-/sign-in`);
      const addresses = [
        at(ticket, newCode(random)),
        at(`${ticket}A`, code),
        at(ticket, code).replace("index", "none"),
      ];
      for (const url of addresses) expect(await pageAt(url)).toEqual(unknown);
    });

    test("disappears from a tab's address bar at once", async () => {
      const { code } = await act.publish(owner.token, { files: REPORT_FILES });
      const src = await readers.openedFrame(code, owner);
      const tab = { "Sec-Fetch-Dest": "document" };
      for (const [file, target] of [
        ["index.html", ""],
        ["", ""],
        ["more.html", "more.html"],
      ] as const) {
        const response = await fetch(src.replace("index.html", file), { headers: tab, redirect: "manual" });
        expect(response.headers.get("location")).toBe(`${service.baseUrl}/${code}/${target}`);
      }
      expect(await statusOf(src, { "Sec-Fetch-Dest": "iframe" })).toBe(200);
      expect(await statusOf(`${src.replace("index.html", "more.html")}x`, tab)).toBe(404);
    });

    test("gets responses that browsers can't cache, and no 304 from before", async () => {
      const { code } = await act.publish(owner.token, { files: REPORT_FILES });
      const src = await readers.openedFrame(code, owner);
      const etag = (await fetch(src)).headers.get("etag") ?? "";
      await act.setVisibility(owner.token, { code, visibility: "private" });
      expect(await statusOf(src, { "If-None-Match": etag })).toBe(304);
      await act.deleteCode(owner.token, code);
      expect(await statusOf(src, { "If-None-Match": etag })).toBe(404);
    });

    test("never makes a response cacheable, while the report changes between public and private", async () => {
      const { code } = await act.publish(owner.token, { files: REPORT_FILES, visibility: "private" });
      const src = await readers.openedFrame(code, owner);
      const open = `${service.contentUrl}/${code}/`;
      const cachingOf = async (url: string) => (await fetch(url)).headers.get("cache-control");
      expect(await cachingOf(src)).toBe("private, no-store");
      await act.setVisibility(owner.token, { code, visibility: "public" });
      expect(await cachingOf(open)).toBe("public, max-age=0, must-revalidate");
      expect(await cachingOf(open)).toBe("public, max-age=0, must-revalidate");
      expect(await cachingOf(src)).toBe("private, no-store");
      await act.setVisibility(owner.token, { code, visibility: "private" });
      expect(await statusOf(open)).toBe(404);
      expect(await cachingOf(src)).toBe("private, no-store");
    });

    const ends: Readonly<Record<string, (reader: Person, code: string) => Promise<unknown>>> = {
      "signing out": ({ cookie }) => post(service, "/api/auth/sign-out", {}, { Cookie: cookie }),
      "signing out everywhere": async (reader) => {
        const Cookie = await signIn(service, reader);
        return post(service, "/api/auth/revoke-sessions", {}, { Cookie });
      },
      "the session's expiry": ({ email }) =>
        executeSql(
          service.database,
          `update sessions set expires_at = 1 where user_id in (select id from users where email = '${email}')`,
        ),
      deletion: (_, code) => act.deleteCode(owner.token, code),
      "withdrawal to private": (_, code) => act.setVisibility(owner.token, { code, visibility: "private" }),
      "the loss of membership": ({ slug }) => readers.leave(organization, slug),
    };
    let organization: string;

    test.each(Object.keys(ends))("is refused from the next request after %s", async (name) => {
      const made = await service.build.organization();
      organization = made.slug;
      const reader = await readers.person();
      await service.build.accounts.addMember({ organizationSlug: made.slug, userSlug: owner.slug, role: "member" });
      await service.build.accounts.addMember({ organizationSlug: made.slug, userSlug: reader.slug, role: "member" });
      const { code } = await act.publish(owner.token, { name: uniqueName(), files: REPORT_FILES, visibility: "org" });
      const src = await readers.openedFrame(code, reader);
      const style = src.replace("index.html", "a.css");
      expect([await statusOf(src), await statusOf(style)]).toEqual([200, 200]);
      await ends[name]?.(reader, code);
      expect([await statusOf(src), await statusOf(style)]).toEqual([404, 404]);
      expect(await readers.frameOf(code, reader)).toBeUndefined();
    });
  });
});
