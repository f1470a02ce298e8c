import type { AccountMail } from "../domain/people/password-ports.ts";
import type { CommentsMail } from "../domain/reviews/ports.ts";
import type { GuestMail } from "../domain/sharing/guest-ports.ts";
import type { SharingMail } from "../domain/sharing/ports.ts";
import { createAccountMail } from "../mail/account-mail.ts";
import { createCommentsMail } from "../mail/comments-mail.ts";
import type { SendMail } from "../mail/compose.ts";
import { createGuestMail } from "../mail/guest-mail.ts";
import { createSharingMail } from "../mail/sharing-mail.ts";
import type { SmtpSettings } from "../settings/smtp.ts";

interface Mails {
  accountMail: AccountMail;
  sharingMail: SharingMail;
  guestMail: GuestMail;
  commentsMail: CommentsMail;
}

/** Creates the mails. It loads the mail library for the first mail, because that takes long. */
export function createMails(server: SmtpSettings, baseUrl: string): Mails {
  let sending: Promise<SendMail> | undefined;
  const load = async () => (await import("../mail/smtp.ts")).createSmtpSender(server);
  const send: SendMail = async (mail) => {
    sending ??= load();
    await (await sending)(mail);
  };
  return {
    accountMail: createAccountMail(send, baseUrl),
    sharingMail: createSharingMail(send, baseUrl),
    guestMail: createGuestMail(send, baseUrl),
    commentsMail: createCommentsMail(send, baseUrl),
  };
}
