import { expect, test } from "bun:test";
import { mailOffRoute, notificationSettingsRoute } from "../../../../src/contract/reviews/inbox.ts";
import { createThreadRoute } from "../../../../src/contract/reviews/threads.ts";
import { createDigest } from "../../../../src/domain/reviews/digest.ts";
import { createCommentsMail } from "../../../../src/mail/comments-mail.ts";
import { createSmtpSender } from "../../../../src/mail/smtp.ts";
import { startMailServer } from "../../../mail/mail-server.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization } from "../../../support/people.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { use } from "../../../support/use.ts";
import { actionsOf } from "../actions.ts";
import { entriesOf } from "../audit/audit-support.ts";

const LATER = 16 * 60_000;
const SECRET = "a secret of the server in this test";

describeOneEngine("mail about comments", (engine) => {
  const mail = use(() => startMailServer());
  const service = useService({ engine, environment: { VITRINE_SECRET: SECRET } });
  const act = actionsOf(service);

  /** Sends what is due at a time, as the background task does. */
  async function run(later: number, mayRead: boolean) {
    const send = createSmtpSender({
      ...{ host: "127.0.0.1", port: mail.port, encryption: "none", credentials: undefined },
      from: "vitrine@example.org",
    });
    const { store } = service.build;
    const digest = createDigest(
      {
        ...{ store, clock: { now: () => Date.now() + later }, addresses: service, secret: SECRET },
        log: { warn: () => undefined },
        commentsMail: createCommentsMail(send, service.baseUrl),
      },
      {
        readable: async (_caller, entries) => (mayRead ? [...entries] : []),
        listUnread: (userId) => store.reviews.listInbox({ userId, isUnread: true, after: undefined, limit: 200 }),
      },
    );
    for (const task of digest.tasks) await task.run(new AbortController().signal);
  }

  test("is sent once, after 15 minutes, and can be turned off by its header", async () => {
    const people = await addOrganization(service);
    const tokenOf = (userSlug: string) => service.build.token({ userSlug, workspaceSlug: people.slug });
    const [owner, member] = await Promise.all([tokenOf(people.owner.slug), tokenOf(people.member.slug)]);
    const name = uniqueName();
    await act.publish(owner, { name, visibility: "org" });
    const body = { name, anchor: { kind: "report" as const }, text: "Please check March" };
    await service.client(member).call(createThreadRoute, { body });
    await run(0, true);
    expect(mail.received).toHaveLength(0);
    await run(LATER, true);
    await run(LATER, true);
    expect(mail.received).toHaveLength(1);
    const text = mail.received[0]?.text ?? "";
    expect(text).toContain("Please check March");
    expect(text).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    // Headers are folded; white space inside the brackets doesn't count (RFC 2369).
    const off = new URL(/List-Unsubscribe:\s*<([^>]+)>/.exec(text)?.[1]?.replaceAll(/\s/g, "") ?? "");
    const [user, signature] = [off.searchParams.get("user") ?? "", off.searchParams.get("signature") ?? ""];
    const turnOff = (query: Record<string, string>) =>
      fetch(`${service.baseUrl}${off.pathname}?${new URLSearchParams(query)}`, {
        method: "POST",
        body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
      });
    const forged = await turnOff({ user, signature: "wrong" });
    expect(forged.status).toBe(400);
    expect(await forged.text()).toContain("signature isn't valid");
    expect(await service.client(owner).call(notificationSettingsRoute)).toMatchObject({ mail: true });
    const asked = await turnOff({ user, signature });
    expect(mailOffRoute.response.parse(await asked.json())).toEqual({ ok: true });
    expect(await entriesOf(service, asked)).toEqual([]);
    expect(await service.client(owner).call(notificationSettingsRoute)).toEqual({ mail: false, can_mail: false });
  });
});
