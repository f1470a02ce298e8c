import { createHmac, timingSafeEqual } from "node:crypto";
import type { Caller } from "../model/entities.ts";
import { invalid } from "../model/failure.ts";
import type { Addresses } from "../model/links.ts";
import type { Clock, OperatorLog } from "../model/ports.ts";
import type { Task } from "../operations/schedule.ts";
import type { Inbox } from "./inbox.ts";
import type { CommentsMail, MailStore, ReviewStore } from "./ports.ts";

const MINUTE = 60_000;
/** From the first unread entry to its mail, and between two mails to a person. */
const PERIOD = 15 * MINUTE;
/** Entries that are older aren't mailed, such as those from when the server sent no mail. */
const OLDEST = 24 * 60 * MINUTE;
/** People who get a mail in one run. */
const PEOPLE_PER_RUN = 500;

interface Dependencies {
  store: { reviews: Pick<ReviewStore, "setMailSetting"> & MailStore };
  clock: Clock;
  addresses: Pick<Addresses, "baseUrl">;
  secret: string;
  log: OperatorLog;
  /** Undefined if the server sends no mail. */
  commentsMail: CommentsMail | undefined;
}

/** Creates the mails about unread entries of inboxes. */
export function createDigest(dependencies: Dependencies, inbox: Pick<Inbox, "readable" | "listUnread">) {
  const { store, clock, addresses, secret, log, commentsMail } = dependencies;
  const { reviews } = store;
  // A separate key, so that nothing else signed with the secret turns mail off.
  const key = createHmac("sha256", secret).update("vitrine mail off").digest();

  const macOf = (userId: string) => createHmac("sha256", key).update(userId).digest("base64url");

  /** Returns the address that turns mail to a person off without signing in, for mail programs. */
  const offUrl = (userId: string) =>
    `${addresses.baseUrl}/api/settings/mail-off?${new URLSearchParams({ user: userId, signature: macOf(userId) })}`;

  /** Turns mail to a person off. Throws `Invalid` if the server didn't sign the request. */
  async function turnOff(userId: string, signature: string): Promise<void> {
    const expected = Buffer.from(macOf(userId));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw invalid("signature isn't valid. Turn mail off in your account.");
    }
    await reviews.setMailSetting({ userId, mail: false });
  }

  /** Mails what is due. Returns the number of mails. */
  async function send(mail: CommentsMail, signal: AbortSignal): Promise<number> {
    const now = clock.now();
    const period = { since: now - OLDEST, due: now - PERIOD, mailedSince: now - PERIOD };
    let sent = 0;
    for (const userId of await reviews.listMailDue({ ...period, limit: PEOPLE_PER_RUN })) {
      signal.throwIfAborted();
      if (await sendTo(mail, userId, period.since)) sent += 1;
    }
    return sent;
  }

  /** Mails a person what they may still read. Returns whether there was anything. */
  async function sendTo(mail: CommentsMail, userId: string, since: number): Promise<boolean> {
    const now = clock.now();
    // Marked first, so that two replicas never send the same.
    const claimed = new Set(await reviews.claimMail({ userId, since, now }));
    if (claimed.size === 0) return false;
    const reader = await reviews.findMailReader(userId);
    if (reader === undefined || reader.verifiedEmail === null) return false;
    const unread = (await inbox.listUnread(userId)).filter(({ id }) => claimed.has(id));
    const entries = await inbox.readable(reader, unread);
    if (entries.length === 0) return false;
    try {
      await mail.sendDigest({ to: reader.verifiedEmail, entries, offUrl: offUrl(userId) });
      return true;
    } catch (error) {
      await reviews.releaseMail({ userId, mailedAt: now });
      log.warn({ message: "A mail about comments couldn't be sent. It is tried again.", error });
      return false;
    }
  }

  const tasks = (): Task[] =>
    commentsMail === undefined
      ? []
      : [
          {
            name: "comment mail",
            every: MINUTE,
            async run(signal) {
              const sent = await send(commentsMail, signal);
              return sent === 0 ? undefined : `Sent ${sent} ${sent === 1 ? "mail" : "mails"} about comments.`;
            },
          },
        ];

  /** Returns whether the server can mail a person. */
  const canMail = ({ verifiedEmail }: Caller): boolean => commentsMail !== undefined && verifiedEmail !== null;

  return { turnOff, canMail, tasks: tasks() };
}
