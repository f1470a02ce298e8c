import { PASSWORD_MINIMUM } from "../../domain/accounts.ts";
import { escapeHtml } from "../html.ts";

/**
 * Sends a form as JSON to the addresses that it names, one after the other. Then it goes on, `{field}` in the address
 * being what was sent; or says that it is done; or leaves both to whoever listens for `sent`.
 */
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
  if (form.dataset.confirm && !confirm(form.dataset.confirm)) return;
  const button = form.querySelector("button");
  const alert = form.querySelector("[role=alert]");
  const status = form.querySelector("[role=status]");
  button.disabled = true;
  alert.textContent = "";
  if (status) status.textContent = "";
  const body = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
  if ("next" in body) body.next += location.hash;
  const { error, answer } = await send(form.dataset.to.split(" "), body);
  if (error === undefined && "leadsOn" in form.dataset) return location.assign(answer.url);
  if (error === undefined && form.dataset.next) return goOn(form.dataset.next, body);
  button.disabled = false;
  if (error !== undefined) {
    alert.textContent = inWords(form, error);
    form.querySelector("[type=password]")?.select();
    return;
  }
  form.reset();
  if (status) status.textContent = form.dataset.done;
  form.dispatchEvent(new CustomEvent("sent", { bubbles: true, detail: answer }));
});
// Who was sent here has brought the fragment along, which no server sees.
function goOn(next, body) {
  const address = next.replace(/\\{(\\w+)\\}/g, (_, name) => encodeURIComponent(body[name]));
  if (address === location.pathname) return location.reload();
  location.replace(address + location.hash);
}
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
  /** Where to go on afterwards; the page's own path loads it anew. */
  next?: string;
  /** Whether to go where the answer's `url` leads. */
  leadsOn?: boolean;
  /** What to say instead of going on. */
  done?: string;
  /** A question to be answered first. */
  confirm?: string;
  button: string;
  /** The button's name for those who do not see where it stands. */
  buttonName?: string;
  fields?: readonly Field[];
  /** Fields of other kinds, as HTML. */
  more?: string;
  /** Sent along, and not shown. */
  hidden?: Readonly<Record<string, string>>;
  isQuiet?: boolean;
  /** Within a line of a list, which says nothing of scripts. */
  isInline?: boolean;
}

const attribute = (name: string, value: string | undefined) =>
  value === undefined ? "" : ` ${name}="${escapeHtml(value)}"`;

const NEEDS_SCRIPT = "\n<noscript><p>This needs JavaScript, which is switched off in your browser.</p></noscript>";

// The button works only with the script: sent without it, a password would end up in places that it should not.
export function formHtml(form: Form): string {
  const {
    to,
    next,
    leadsOn,
    done,
    confirm,
    button,
    buttonName,
    fields = [],
    more = "",
    hidden = {},
    isQuiet,
    isInline,
  } = form;
  const attributes = [
    attribute("data-to", to.join(" ")),
    attribute("data-next", next),
    attribute("data-leads-on", leadsOn ? "" : undefined),
    attribute("data-done", done),
    attribute("data-confirm", confirm),
    attribute("class", isInline ? "inline" : undefined),
  ];
  const inputs = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post"${attributes.join("")}>
${[...inputs, ...fields.map(fieldHtml)].join("\n")}${more}
<p role="alert"></p>${done === undefined ? "" : '\n<p role="status"></p>'}
<button disabled${attribute("class", isQuiet ? "quiet" : undefined)}${attribute("aria-label", buttonName)}>${button}</button>${
    isInline ? "" : NEEDS_SCRIPT
  }
</form>`;
}

export const emailField: Field = {
  name: "email",
  label: "E-mail address",
  type: "email",
  autocomplete: "username",
  more: ' autocapitalize="none" spellcheck="false" autofocus',
};

export const slugField: Field = {
  name: "slug",
  label: "Short name",
  hint: "In links: lower-case letters, digits and hyphens.",
  autocomplete: "off",
  more: ' pattern="[a-z0-9][a-z0-9\\-]{0,38}" maxlength="39" autocapitalize="none" spellcheck="false"',
};

export const newPasswordField = (name: string, label: string): Field => ({
  name,
  label,
  hint: `At least ${PASSWORD_MINIMUM} characters.`,
  type: "password",
  autocomplete: "new-password",
  more: ` minlength="${PASSWORD_MINIMUM}"`,
});

/** What a new account takes; an e-mail address that is given cannot be changed. */
export const accountFields = (email: string | null = null): readonly Field[] => [
  email === null
    ? emailField
    : { ...emailField, hint: "The invitation is for this one.", more: ` readonly value="${escapeHtml(email)}"` },
  slugField,
  { name: "name", label: "Name", hint: "As people read it. Optional.", autocomplete: "name", isOptional: true },
  newPasswordField("password", "Password"),
];
