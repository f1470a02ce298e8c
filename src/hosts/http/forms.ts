import { PASSWORD_MINIMUM } from "../../domain/people/accounts.ts";
import { escapeHtml } from "../../look/html.ts";

/** Submits a form as JSON to each of its addresses in order, then goes to the next page. */
export const FORM_SCRIPT = `
const enable = () => {
  for (const button of document.querySelectorAll("form button")) button.disabled = false;
};
enable();
// The browser may restore the page from its cache, with the button still disabled.
addEventListener("pageshow", enable);
addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const button = form.querySelector("button");
  const alert = form.querySelector("[role=alert]");
  button.disabled = true;
  alert.textContent = "";
  const body = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
  if ("next" in body) body.next += location.hash;
  const { error, answer } = await send(form.dataset.to.split(" "), body);
  if (error === undefined && "leadsOn" in form.dataset) return location.assign(answer.url);
  // Keeps the fragment of the address that redirected here; servers never see fragments.
  if (error === undefined) return location.replace(form.dataset.next + location.hash);
  button.disabled = false;
  alert.textContent = inWords(form, error);
  form.querySelector("[type=password]")?.select();
});
// Messages of the API start with the name of a field. People know the field by its label.
function inWords(form, error) {
  return error.replace(/^\\w+/, (name) => {
    const label = form.elements.namedItem(name)?.closest("label");
    return label?.firstChild.textContent.trim() ?? name;
  });
}
async function send(addresses, body) {
  try {
    let answer;
    for (const address of addresses) {
      const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
      const response = await fetch(address, init);
      answer = await response.json();
      if (!response.ok) return { error: answer.error };
    }
    return { answer };
  } catch {
    return { error: "Can't reach the server. Check your connection and try again." };
  }
}
`;

export const SIGN_IN = "/api/auth/sign-in/email";

interface Field {
  name: string;
  label: string;
  hint?: string;
  type?: "email" | "password" | "text";
  autocomplete: string;
  isOptional?: boolean;
  /** More attributes, as HTML. */
  more?: string;
}

const fieldHtml = ({ name, label, hint, type = "text", autocomplete, isOptional, more = "" }: Field) =>
  `<label>${label}${hint === undefined ? "" : ` <small>${hint}</small>`}
<input name="${name}" type="${type}" autocomplete="${autocomplete}"${isOptional ? "" : " required"}${more}></label>`;

interface Form {
  to: readonly string[];
  /** The page to go to afterwards. */
  next?: string;
  /** Whether to go to the `url` in the response. */
  leadsOn?: boolean;
  button: string;
  fields?: readonly Field[];
  /** Values to submit that are not shown. */
  hidden?: Readonly<Record<string, string>>;
  isQuiet?: boolean;
}

const attribute = (name: string, value: string | undefined) =>
  value === undefined ? "" : ` ${name}="${escapeHtml(value)}"`;

const NEEDS_SCRIPT =
  "\n<noscript><p>JavaScript is turned off in your browser. Turn it on to use this form.</p></noscript>";

/** Returns a form. Its button is disabled until the script runs, because the browser's own submit would put the password in the URL. */
export function formHtml({ to, next, leadsOn, button, fields = [], hidden = {}, isQuiet }: Form): string {
  const attributes = [
    attribute("data-to", to.join(" ")),
    attribute("data-next", next),
    attribute("data-leads-on", leadsOn ? "" : undefined),
  ];
  const inputs = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post"${attributes.join("")}>
${[...inputs, ...fields.map(fieldHtml)].join("\n")}
<p role="alert"></p>
<button disabled${attribute("class", isQuiet ? "quiet" : undefined)}>${button}</button>${NEEDS_SCRIPT}
</form>`;
}

export const emailField: Field = {
  name: "email",
  label: "Email address",
  type: "email",
  autocomplete: "username",
  more: ' autocapitalize="none" spellcheck="false" autofocus',
};

const slugField: Field = {
  name: "slug",
  label: "Username",
  hint: "Used in your links. Lowercase letters, digits and hyphens.",
  autocomplete: "off",
  more: ' pattern="[a-z0-9][a-z0-9\\-]{0,38}" maxlength="39" autocapitalize="none" spellcheck="false"',
};

export const newPasswordField: Field = {
  name: "password",
  label: "Password",
  hint: `At least ${PASSWORD_MINIMUM} characters.`,
  type: "password",
  autocomplete: "new-password",
  more: ` minlength="${PASSWORD_MINIMUM}"`,
};

/** Returns the fields of a new account. A given email address is read-only. */
export const accountFields = (email: string | null = null): readonly Field[] => [
  email === null
    ? emailField
    : { ...emailField, hint: "The invitation is for this address.", more: ` readonly value="${escapeHtml(email)}"` },
  slugField,
  { name: "name", label: "Name", hint: "Shown to other people. Optional.", autocomplete: "name", isOptional: true },
  newPasswordField,
];
