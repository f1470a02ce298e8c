import { beforeAll, describe, expect, test } from "bun:test";
import { type AuditEntryView, auditRoute, exportAuditRoute } from "../../../../src/contract/audit/audit.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization, type Organization, PARTS, type Part, statusFor } from "../../../support/people.ts";
import { failureSchema, send, testScenarios } from "../../../support/scenarios.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { asPage, pageClient, signIn } from "../../../support/sessions.ts";
import { orderActionsOf } from "../cabinet/order-actions.ts";

describeOneEngine("the audit log", (engine) => {
  const service = useService({ engine });
  const act = orderActionsOf(service);
  let org: Organization;
  let cookies: Record<Part, string>;

  beforeAll(async () => {
    org = await addOrganization(service);
    const all = await Promise.all(PARTS.map(async (part) => [part, await signIn(service, org[part])]));
    cookies = Object.fromEntries(all);
  });

  const byPage = (part: Part) => ({ headers: asPage(service, cookies[part]) });
  const read = async (part: Part, query: Record<string, string>) => {
    const { answer } = await send(service, auditRoute, { ...byPage(part), query });
    return auditRoute.response.parse(answer);
  };

  test.each([...PARTS])("is for owners and admins of the organization: %s", async (part) => {
    for (const route of [auditRoute, exportAuditRoute]) {
      const { response, answer } = await send(service, route, { ...byPage(part), query: { owner: org.slug } });
      expect(response.status).toBe(statusFor(part, ["owner", "admin"]));
      if (part === "member") expect(failureSchema.parse(answer).error).toContain("owners and admins");
      // A stranger learns nothing from the difference to a workspace that never existed.
      if (part !== "stranger") continue;
      const nowhere = await send(service, route, { ...byPage(part), query: { owner: "no-such-org" } });
      expect(failureSchema.parse(nowhere.answer).error.replace("no-such-org", org.slug)).toBe(
        failureSchema.parse(answer).error,
      );
    }
  });

  test("tells an owner what a member did with a report, but not from which address", async () => {
    const name = uniqueName();
    const token = await service.build.token({ userSlug: org.member.slug, workspaceSlug: org.slug });
    const { code } = await act.publish(token, { name, title: "Layoffs" });
    await act.setVisibility(token, { name, visibility: "public" });
    const { entries } = await read("owner", { owner: org.slug, item: name });
    const common = {
      at: expect.any(String),
      workspace: org.slug,
      actor: org.member.slug,
      actor_id: org.member.userId,
      credential: { kind: "token", id: expect.stringMatching(/^tok_/), name: "Token" },
      subject: name,
      subject_id: expect.stringMatching(/^\d+$/),
      code,
      title: "Layoffs",
      request_id: expect.stringMatching(/^[0-9A-Za-z]{16}$/),
      address: null,
    };
    expect(entries).toEqual([
      { ...common, action: "report.set_visibility", details: { from: "private", to: "public" } },
      { ...common, action: "report.publish", details: { version: 1, visibility: "private" } },
    ]);
  });

  test("tells people the addresses of their own sign-ins", async () => {
    const { entries } = await read("member", { owner: org.member.slug, action: "session.start" });
    expect(entries.map(({ actor, address }) => [actor, address])).toEqual([
      [org.member.slug, expect.stringMatching(/^(127\.0\.0\.1|::1)$/)],
    ]);
  });

  test("comes in pages", async () => {
    const user = await service.build.user();
    const page = pageClient(service, await signIn(service, user));
    for (let number = 0; number < 7; number++) await act.publish(user.token, { name: uniqueName() });
    const all = await page.call(auditRoute, { query: { owner: user.slug } });
    expect(all.next_cursor).toBeNull();
    const seen: AuditEntryView[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { owner: user.slug, limit: 2, ...(cursor ? { cursor } : {}) };
      const { entries, next_cursor } = await page.call(auditRoute, { query });
      seen.push(...entries);
      cursor = next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(all.entries);
  });

  test("is exported as JSON Lines, each as the page shows it", async () => {
    const query = { owner: org.slug, action: "member" };
    const { response, answer } = await send(service, exportAuditRoute, { ...byPage("admin"), query });
    expect(response.headers.get("content-type")).toBe("application/jsonl");
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${org.slug}-audit.jsonl"`);
    const lines = new TextDecoder().decode(answer as Uint8Array).split("\n");
    expect(lines.pop()).toBe("");
    const { entries } = await read("admin", query);
    expect(entries.length).toBeGreaterThan(0);
    expect(lines.map((line) => JSON.parse(line))).toEqual(entries);
  });

  test("stays readable for a new owner after its members and reports are gone", async () => {
    const own = await addOrganization(service);
    const name = uniqueName();
    const token = await service.build.token({ userSlug: own.member.slug, workspaceSlug: own.slug });
    await act.publish(token, { name });
    const cookie = await signIn(service, own.owner);
    const page = pageClient(service, cookie);
    const query = { owner: own.slug, item: name };
    const before = await page.call(auditRoute, { query });
    const { deleteGroupRoute } = await import("../../../../src/contract/reports/named-reports.ts");
    await page.call(deleteGroupRoute, { body: { name } });
    const { removeMemberRoute } = await import("../../../../src/contract/people/members.ts");
    await page.call(removeMemberRoute, { body: { owner: own.slug, userId: own.member.userId } });
    const { entries } = await page.call(auditRoute, { query });
    expect(entries.slice(1)).toEqual(before.entries);
    expect(entries[0]).toMatchObject({ action: "report.delete", actor: own.owner.slug, details: { versions: 1 } });
  });

  describe("with a wrong query", () => {
    const withQuery = (query: Record<string, string>) => () => ({
      ...byPage("owner"),
      query: { owner: org.slug, ...query },
    });
    testScenarios(() => service, auditRoute, [
      { name: "no owner", request: () => byPage("owner"), status: 400, error: /owner/ },
      {
        name: "an action with other characters",
        request: withQuery({ action: "a'; --" }),
        status: 400,
        error: /action/,
      },
      { name: "no time", request: withQuery({ since: "yesterday" }), status: 400, error: /since must be a date/ },
      { name: "a limit over the maximum", request: withQuery({ limit: "201" }), status: 400, error: /limit/ },
      { name: "a made-up cursor", request: withQuery({ cursor: "abc" }), status: 400, error: /cursor/ },
      { name: "NUL in a filter", request: withQuery({ item: "a\u0000b" }), status: 400, error: /item/ },
    ]);
  });
});
