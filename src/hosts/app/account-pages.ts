import type { KnownSession } from "../../domain/account-ports.ts";
import { PASSWORD_MINIMUM } from "../../domain/accounts.ts";
import type { Addresses } from "../../domain/links.ts";
import { escapeHtml } from "../html.ts";
import { page } from "../pages.ts";

/** Sends each form as JSON to the addresses that it names, one after the other, and then goes on. */
const SCRIPT = `
for (const form of document.querySelectorAll("form")) {
  const button = form.querySelector("button");
  const alert = form.querySelector("[role=alert]");
  button.disabled = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    alert.textContent = "";
    const { error, url } = await send(form);
    button.disabled = error === undefined;
    if (error === undefined) return url === undefined ? goOn(form.dataset.next) : location.assign(url);
    alert.textContent = error;
    form.querySelector("[type=password]")?.select();
  });
}
// Who comes back from another site finds the page as it was left.
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("button")) button.disabled = false;
});
// Who was sent here has brought the fragment along, which no server sees.
function goOn(next) {
  if (next === location.pathname) return location.reload();
  location.replace(next + location.hash);
}
async function send(form) {
  const fields = Object.fromEntries(new FormData(form));
  if ("next" in fields) fields.next += location.hash;
  const body = JSON.stringify(fields);
  let answer = {};
  try {
    for (const address of form.dataset.to.split(" ")) {
      const response = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body });
      answer = await response.json();
      if (!response.ok) break;
    }
    return answer;
  } catch {
    return { error: "The server cannot be reached. Check your connection and try again." };
  }
}
`;

const SIGN_IN = "/api/auth/sign-in/email";

interface Field {
  name: string;
  label: string;
  hint?: string;
  type?: "email" | "password" | "text";
  autocomplete: string;
  isOptional?: boolean;
  /** Further attributes, as HTML. */
  more?: string;
}

const fieldHtml = ({ name, label, hint, type = "text", autocomplete, isOptional, more = "" }: Field) =>
  `<label>${label}${hint === undefined ? "" : ` <small>${hint}</small>`}
<input name="${name}" type="${type}" autocomplete="${autocomplete}"${isOptional ? "" : " required"}${more}></label>`;

interface Form {
  to: readonly string[];
  next: string;
  button: string;
  fields?: readonly Field[];
  /** Sent along, and not shown. */
  hidden?: Readonly<Record<string, string>>;
  isQuiet?: boolean;
}

// The button works only with the script: sent without it, a password would end up in places that it should not.
const formHtml = ({ to, next, button, fields = [], hidden = {}, isQuiet }: Form) =>
  `<form method="post" data-to="${to.join(" ")}" data-next="${escapeHtml(next)}">
${Object.entries(hidden)
  .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
  .join("\n")}${fields.map(fieldHtml).join("\n")}
<p role="alert"></p>
<button disabled${isQuiet ? ' class="quiet"' : ""}>${button}</button>
<noscript><p>This needs JavaScript, which is switched off in your browser.</p></noscript>
</form>`;

const emailField: Field = {
  name: "email",
  label: "E-mail address",
  type: "email",
  autocomplete: "username",
  more: ' autocapitalize="none" spellcheck="false" autofocus',
};

const singleSignOnHtml = (next: string) => `
<p class="or">or</p>
${formHtml({ to: ["/api/auth/sign-in/oidc"], next, hidden: { next }, button: "Continue with single sign-on", isQuiet: true })}`;

/** `next` is a path of this host. */
export const signInPage = (nonce: string, next: string, hasSingleSignOn: boolean) =>
  page(
    "Sign in",
    `${next === "/" ? "" : "<p>This link opens for people who are signed in.</p>\n"}${formHtml({
      to: [SIGN_IN],
      next,
      button: "Sign in",
      fields: [emailField, { name: "password", label: "Password", type: "password", autocomplete: "current-password" }],
    })}${hasSingleSignOn ? singleSignOnHtml(next) : ""}`,
    { nonce, script: SCRIPT },
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
  next: "/",
  button: "Make account",
  hidden: { token },
  fields: [
    emailField,
    {
      name: "slug",
      label: "Short name",
      hint: "In links: lower-case letters, digits and hyphens.",
      autocomplete: "off",
      more: ' pattern="[a-z0-9][a-z0-9\\-]{0,38}" maxlength="39" autocapitalize="none" spellcheck="false"',
    },
    { name: "name", label: "Name", hint: "As people read it. Optional.", autocomplete: "name", isOptional: true },
    {
      name: "password",
      label: "Password",
      hint: `At least ${PASSWORD_MINIMUM} characters.`,
      type: "password",
      autocomplete: "new-password",
      more: ` minlength="${PASSWORD_MINIMUM}"`,
    },
  ],
})}`,
    { nonce, script: SCRIPT },
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
<a href="/api/openapi.json">the API description</a>.</p>`;

export const welcomePage = (addresses: Addresses) =>
  page(
    "Vitrine is running",
    `${HOW_TO_PUBLISH(addresses)}\n<p><a href="/-/sign-in">Sign in</a> to open private reports.</p>`,
  );

export const signedInPage = (nonce: string, addresses: Addresses, { user }: KnownSession) =>
  page(
    `Hello, ${user.name}`,
    `<p>You are signed in as ${escapeHtml(user.email)}. Links to reports that are shared with you open now.</p>
${HOW_TO_PUBLISH(addresses)}
${formHtml({ to: ["/api/auth/sign-out"], next: "/", button: "Sign out", isQuiet: true })}`,
    { nonce, script: SCRIPT },
  );
