import type { Addresses } from "../../../domain/model/links.ts";
import type { SignUp } from "../../../domain/people/sign-up.ts";
import { accountFields, emailField, FORM_SCRIPT, formHtml, SIGN_IN } from "../../http/forms.ts";
import { escapeHtml } from "../../http/html.ts";
import { HOME } from "../../http/page-responses.ts";
import { page } from "../../http/pages.ts";

const signUpPath = (next: string) => (next === HOME ? "/-/sign-up" : `/-/sign-up?next=${encodeURIComponent(next)}`);

const signUpHtml = (next: string) => `
<p>New here? <a href="${escapeHtml(signUpPath(next))}">Make an account</a>.</p>`;

/** What may be behind the link is not said: it may be nothing. */
const SENT_HERE = `<p>Sign in to open this link, if it is shared with you. Without an account, check the link or ask whoever
sent it.</p>
`;

const singleSignOnHtml = (next: string) => `
<p class="or">or</p>
${formHtml({ to: ["/api/auth/sign-in/oidc"], leadsOn: true, hidden: { next }, button: "Continue with single sign-on", isQuiet: true })}`;

/** Whether it is what somebody has published, and not a page of the service. */
const isShared = (path: string) => path !== "/" && !path.startsWith(HOME);

interface WaysIn {
  signUp: Pick<SignUp, "isOpen">;
  hasSingleSignOn: boolean;
}

/** `next` is a path of this host. */
export const signInPage = (nonce: string, next: string, { signUp, hasSingleSignOn }: WaysIn) =>
  page(
    "Sign in",
    `${isShared(next) ? SENT_HERE : ""}${formHtml({
      to: [SIGN_IN],
      next,
      button: "Sign in",
      fields: [emailField, { name: "password", label: "Password", type: "password", autocomplete: "current-password" }],
    })}${hasSingleSignOn ? singleSignOnHtml(next) : ""}${signUp.isOpen ? signUpHtml(next) : ""}`,
    { nonce, script: FORM_SCRIPT },
  );

/** `message` is text that says why; `next` is a path of this host. */
export const signInFailedPage = (message: string, next: string) =>
  page(
    "Signing in did not work",
    `<p>${escapeHtml(message)}</p>
<p><a href="/-/sign-in?next=${encodeURIComponent(next)}">Back to sign-in</a></p>`,
  );

export const setUpPage = (nonce: string, token: string) =>
  page(
    "Welcome to Vitrine",
    `<p>Make the first account. It is yours, and this page is gone afterwards.</p>
${formHtml({
  to: ["/api/auth/set-up", SIGN_IN],
  next: HOME,
  button: "Make account",
  hidden: { token },
  fields: accountFields(),
})}`,
    { nonce, script: FORM_SCRIPT },
  );

export const setUpOverPage = () =>
  page(
    "This link is used up",
    `<p>It has been used, or it has expired. <a href="/-/sign-in">Sign in</a>, or, if there is no account yet, start
Vitrine again: it prints a new link.</p>`,
  );

const HOW_TO_PUBLISH = ({
  baseUrl,
}: Addresses) => `<p>Publish a report with an access token, and share the link you get back:</p>
<pre>bin/vitrine publish my-report/ --name my-report --public</pre>
<p>Or from any language: <code>POST ${baseUrl}/api/upload</code>, described in
<a href="/-/docs">the API documents</a>.</p>`;

export const welcomePage = (addresses: Addresses) =>
  page(
    "Vitrine is running",
    `${HOW_TO_PUBLISH(addresses)}\n<p><a href="/-/sign-in">Sign in</a> to open private reports.</p>`,
  );
