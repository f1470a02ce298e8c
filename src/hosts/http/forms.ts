import { PASSWORD_MINIMUM } from "../../domain/people/accounts.ts";
import { escapeHtml } from "./html.ts";

/** Sends a form as JSON to the addresses that it names, one after the other, and goes on. */
export const FORM_SCRIPT = `
const enable = () => {
  for (const button of document.querySelectorAll("form button")) button.disabled = false;
};
enable();
// Who comes back from another site finds the page as it was left.
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
  // Who was sent here has brought the fragment along, which no server sees.
  if (error === undefined) return location.replace(form.dataset.next + location.hash);
  button.disabled = false;
  alert.textContent = inWords(form, error);
  form.querySelector("[type=password]")?.select();
});
// A sentence begins with the field as the API calls it; people know it by its label.
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
    return { error: "The server cannot be reached. Check your connection and try again." };
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
  /** Further attributes, as HTML. */
  more?: string;
}

const fieldHtml = ({ name, label, hint, type = "text", autocomplete, isOptional, more = "" }: Field) =>
  `<label>${label}${hint === undefined ? "" : ` <small>${hint}</small>`}
<input name="${name}" type="${type}" autocomplete="${autocomplete}"${isOptional ? "" : " required"}${more}></label>`;

interface Form {
  to: readonly string[];
  /** Where to go on afterwards. */
  next?: string;
  /** Whether to go where the answer's `url` leads. */
  leadsOn?: boolean;
  button: string;
  fields?: readonly Field[];
  /** Sent along, and not shown. */
  hidden?: Readonly<Record<string, string>>;
  isQuiet?: boolean;
}

const attribute = (name: string, value: string | undefined) =>
  value === undefined ? "" : ` ${name}="${escapeHtml(value)}"`;

const NEEDS_SCRIPT = "\n<noscript><p>This needs JavaScript, which is switched off in your browser.</p></noscript>";

// The button works only with the script: sent without it, a password would end up in places that it should not.
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
  label: "E-mail address",
  type: "email",
  autocomplete: "username",
  more: ' autocapitalize="none" spellcheck="false" autofocus',
};

const slugField: Field = {
  name: "slug",
  label: "Short name",
  hint: "In links: lower-case letters, digits and hyphens.",
  autocomplete: "off",
  more: ' pattern="[a-z0-9][a-z0-9\\-]{0,38}" maxlength="39" autocapitalize="none" spellcheck="false"',
};

const newPasswordField: Field = {
  name: "password",
  label: "Password",
  hint: `At least ${PASSWORD_MINIMUM} characters.`,
  type: "password",
  autocomplete: "new-password",
  more: ` minlength="${PASSWORD_MINIMUM}"`,
};

/** What a new account takes; an e-mail address that is given cannot be changed. */
export const accountFields = (email: string | null = null): readonly Field[] => [
  email === null
    ? emailField
    : { ...emailField, hint: "The invitation is for this one.", more: ` readonly value="${escapeHtml(email)}"` },
  slugField,
  { name: "name", label: "Name", hint: "As people read it. Optional.", autocomplete: "name", isOptional: true },
  newPasswordField,
];
