import type { SignUp } from "../../../domain/people/sign-up.ts";
import { escapeHtml } from "../../../look/html.ts";
import { accountFields, emailField, FORM_SCRIPT, formHtml, SIGN_IN } from "../../http/forms.ts";
import { HOME } from "../../http/page-responses.ts";
import { NOT_PUBLIC, page } from "../../http/pages.ts";

const signUpPath = (next: string) => (next === HOME ? "/-/sign-up" : `/-/sign-up?next=${encodeURIComponent(next)}`);

const signUpHtml = (next: string) => `
<p class="foot">New to Vitrine? <a href="${escapeHtml(signUpPath(next))}">Create an account</a>.</p>`;

/** Does not say whether a report exists at the link. */
const SENT_HERE = `<p>${NOT_PUBLIC.reason} If it's shared with you, sign in to open it.</p>
`;

const WHAT_IT_IS = `<p>Vitrine publishes HTML reports and gives each one a link that always shows its latest version.</p>
`;

const FORGOTTEN = `
<p class="foot"><a href="/-/forgot-password">Forgot password?</a></p>`;

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

/**
 * Returns the sign-in page. `next` is the path of this host to go to afterwards. For the link of a report, it says the
 * same as the page of a report that is no longer shared.
 */
export const signInPage = (nonce: string, next: string, { signUp, hasSingleSignOn, canResetPassword }: SignInOptions) =>
  page(
    isShared(next) ? NOT_PUBLIC.title : "Sign in",
    `${isShared(next) ? SENT_HERE : WHAT_IT_IS}${formHtml({
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
    "Create the admin account",
    `<p>Welcome to Vitrine. This account manages the server. This link works once.</p>
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
