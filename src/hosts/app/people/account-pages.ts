import type { Addresses } from "../../../domain/model/links.ts";
import type { SignUp } from "../../../domain/people/sign-up.ts";
import { accountFields, emailField, FORM_SCRIPT, formHtml, SIGN_IN } from "../../http/forms.ts";
import { escapeHtml } from "../../http/html.ts";
import { HOME } from "../../http/page-responses.ts";
import { page } from "../../http/pages.ts";

const signUpPath = (next: string) => (next === HOME ? "/-/sign-up" : `/-/sign-up?next=${encodeURIComponent(next)}`);

const signUpHtml = (next: string) => `
<p>New to Vitrine? <a href="${escapeHtml(signUpPath(next))}">Create an account</a>.</p>`;

/** Does not say whether a report exists at the link. */
const SENT_HERE = `<p>Sign in to open this link. If you don't have an account, check the link or ask the person who sent it
to you.</p>
`;

const FORGOTTEN = `
<p><a href="/-/forgot-password">Forgot your password?</a></p>`;

const singleSignOnHtml = (next: string) => `
<p class="or">or</p>
${formHtml({ to: ["/api/auth/sign-in/oidc"], leadsOn: true, hidden: { next }, button: "Continue with single sign-on", isQuiet: true })}`;

/** Returns whether a path may be a report, not a page of Vitrine itself. */
const isShared = (path: string) => path !== "/" && !path.startsWith(HOME);

interface SignInOptions {
  signUp: Pick<SignUp, "isOpen">;
  hasSingleSignOn: boolean;
  /** Whether the server can mail a link that resets a password. */
  canResetPassword: boolean;
}

/** Returns the sign-in page. `next` is the path of this host to go to afterwards. */
export const signInPage = (nonce: string, next: string, { signUp, hasSingleSignOn, canResetPassword }: SignInOptions) =>
  page(
    "Sign in",
    `${isShared(next) ? SENT_HERE : ""}${formHtml({
      to: [SIGN_IN],
      next,
      button: "Sign in",
      fields: [emailField, { name: "password", label: "Password", type: "password", autocomplete: "current-password" }],
    })}${canResetPassword ? FORGOTTEN : ""}${hasSingleSignOn ? singleSignOnHtml(next) : ""}${signUp.isOpen ? signUpHtml(next) : ""}`,
    { nonce, script: FORM_SCRIPT },
  );

/** Returns the page after a failed single sign-on. `message` says why; `next` is a path of this host. */
export const signInFailedPage = (message: string, next: string) =>
  page(
    "Sign-in failed",
    `<p>${escapeHtml(message)}</p>
<p><a href="/-/sign-in?next=${encodeURIComponent(next)}">Back to sign-in</a></p>`,
  );

export const setUpPage = (nonce: string, token: string) =>
  page(
    "Welcome to Vitrine",
    `<p>Create the first account. This page works only once.</p>
${formHtml({
  to: ["/api/auth/set-up", SIGN_IN],
  next: HOME,
  button: "Create account",
  hidden: { token },
  fields: accountFields(),
})}`,
    { nonce, script: FORM_SCRIPT },
  );

export const setUpOverPage = () =>
  page(
    "This link no longer works",
    `<p>It was already used, or it has expired. <a href="/-/sign-in">Sign in</a>. If there is no account yet, restart
Vitrine to get a new link.</p>`,
  );

const HOW_TO_PUBLISH = ({
  baseUrl,
}: Addresses) => `<p>Publish a report with an access token, and share the link you get back:</p>
<pre>vitrine publish my-report/ --name my-report --public</pre>
<p>Or from any language: <code>POST ${baseUrl}/api/upload</code>, described in
the <a href="/-/docs">API reference</a>.</p>`;

export const welcomePage = (addresses: Addresses) =>
  page(
    "Vitrine is running",
    `${HOW_TO_PUBLISH(addresses)}\n<p><a href="/-/sign-in">Sign in</a> to open private reports.</p>`,
  );
