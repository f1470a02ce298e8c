import { expect, test } from "bun:test";
import { notificationSettingsRoute } from "../../../../src/contract/reviews/inbox.ts";
import { createThreadRoute } from "../../../../src/contract/reviews/threads.ts";
import { createDigest } from "../../../../src/domain/reviews/digest.ts";
import { createCommentsMail } from "../../../../src/mail/comments-mail.ts";
import { createSmtpSender } from "../../../../src/mail/smtp.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { startMailServer } from "../../../support/mail-server.ts";
import { addOrganization } from "../../../support/people.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { use } from "../../../support/use.ts";
import { actionsOf } from "../actions.ts";

const LATER = 16 * 60_000;

describeOneEngine("mail about comments", (engine) => {
  const mail = use(() => startMailServer());
  const service = useService(() => ({ engine }));
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
        ...{ store, clock: { now: () => Date.now() + later }, addresses: service, secret: "a secret" },
        log: { warn: () => undefined },
        commentsMail: createCommentsMail(send, service.baseUrl),
      },
      {
        readable: async (_caller, entries) => (mayRead ? [...entries] : []),
        listUnread: (userId) => store.reviews.listInbox({ userId, isUnread: true, after: undefined, limit: 200 }),
      },
    );
    for (const task of digest.tasks) await task.run(new AbortController().signal);
    return digest;
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
    const digest = await run(LATER, true);
    await run(LATER, true);
    expect(mail.received).toHaveLength(1);
    const text = mail.received[0]?.text ?? "";
    expect(text).toContain("Please check March");
    expect(text).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
    const [, user = "", signature = ""] = /mail-off\?user=([\w]+)&\s*signature=([\w-]+)/.exec(text) ?? [];
    await expect(digest.turnOff(user, "wrong")).rejects.toThrow("signature isn't valid");
    const asked = await fetch(`${service.baseUrl}/api/settings/mail-off?${new URLSearchParams({ user, signature })}`, {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    });
    // This server has another secret than the digest in the test.
    expect(asked.status).toBe(400);
    expect(await asked.text()).toContain("signature isn't valid");
    await digest.turnOff(user, signature);
    expect(await service.client(owner).call(notificationSettingsRoute)).toEqual({ mail: false, can_mail: false });
  });
});
