import type { AccountMail } from "../domain/people/password-ports.ts";
import { compose, type SendMail } from "./compose.ts";

/** Creates the mails about accounts. `baseUrl` is the address of this server. */
export function createAccountMail(send: SendMail, baseUrl: string): AccountMail {
  const { host } = new URL(baseUrl);
  const forgotten = `${baseUrl}/-/forgot-password`;
  return {
    sendPasswordLink: ({ to, url }) =>
      send({
        to,
        ...compose(`Reset your password for ${host}`, [
          `Someone asked to reset the password of your Vitrine account on ${host}. To choose a new password, open this link:`,
          { url },
          "The link works once and expires in one hour. If you didn't ask for it, ignore this mail. Your password stays the same.",
        ]),
      }),
    sendSingleSignOnHint: ({ to }) =>
      send({
        to,
        ...compose(`Signing in to ${host}`, [
          `Someone asked to reset the password of your Vitrine account on ${host}. Your account has no password, because you sign in with single sign-on. Open the sign-in page and select "Continue with single sign-on":`,
          { url: `${baseUrl}/-/sign-in` },
          "If you didn't ask for this, ignore this mail.",
        ]),
      }),
    sendPasswordChanged: ({ to }) =>
      send({
        to,
        ...compose(`Your password for ${host} was changed`, [
          `The password of your Vitrine account on ${host} was changed, and all sessions were ended.`,
          "If you didn't change it, reset your password now and tell the server's administrator:",
          { url: forgotten },
        ]),
      }),
  };
}
