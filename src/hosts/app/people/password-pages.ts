import { type PasswordResets, RESET_PATH } from "../../../domain/people/password-resets.ts";
import { emailField, FORM_SCRIPT, formHtml, newPasswordField } from "../../http/forms.ts";
import { page } from "../../http/pages.ts";

export const FORGOTTEN_PATH = "/-/forgot-password";

const BACK = `
<p><a href="/-/sign-in">Back to sign-in</a></p>`;

export const forgottenPage = (nonce: string) =>
  page(
    "Reset your password",
    `<p>Enter the email address of your account. We'll send you a link to choose a new password.</p>
${formHtml({
  to: ["/api/auth/request-password-reset"],
  next: `${FORGOTTEN_PATH}/sent`,
  button: "Send link",
  fields: [emailField],
})}${BACK}`,
    { nonce, script: FORM_SCRIPT },
  );

/** Returns one page for all addresses, whether or not they belong to an account. */
export const linkSentPage = () =>
  page(
    "Check your email",
    `<p>If the address belongs to an account, a link to choose a new password is on its way. It works once and expires in
one hour.</p>
<p>No mail after a few minutes? Check your spam folder and <a href="${FORGOTTEN_PATH}">the address you entered</a>.</p>${BACK}`,
  );

export const newPasswordPage = (nonce: string, token: string) =>
  page(
    "Choose a new password",
    `<p>This ends all of your sessions. Your access tokens keep working.</p>
${formHtml({
  to: ["/api/auth/reset-password"],
  next: `${RESET_PATH}/done`,
  button: "Change password",
  hidden: { token },
  fields: [{ ...newPasswordField, label: "New password", more: `${newPasswordField.more} autofocus` }],
})}`,
    { nonce, script: FORM_SCRIPT },
  );

export const passwordChangedPage = () =>
  page(
    "Your password was changed",
    `<p>All of your sessions were ended. <a href="/-/sign-in">Sign in</a> with the new password.</p>
<p>Your access tokens still work. If someone else may have used your account, revoke them in your account settings.</p>`,
  );

/** Returns one page for links that were used, have expired, or never existed. */
export const resetOverPage = ({ sendsMail }: Pick<PasswordResets, "sendsMail">) =>
  page(
    "This link no longer works",
    `<p>It was already used, or it has expired. ${
      sendsMail
        ? `<a href="${FORGOTTEN_PATH}">Request a new link</a>.`
        : "Ask an administrator of this server for a new one."
    }</p>`,
  );
