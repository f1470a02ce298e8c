import type { Membership, Scope } from "../../../domain/model/entities.ts";
import { isDocumentId } from "../../../domain/oauth/clients.ts";
import type { Client, Device } from "../../../domain/oauth/ports.ts";
import { isLoopback } from "../../../domain/oauth/redirects.ts";
import type { AuthorizationRequest, RequestParameters } from "../../../domain/oauth/requests.ts";
import { escapeHtml } from "../../../look/html.ts";
import { FORM_SCRIPT, formHtml } from "../../http/forms.ts";
import { page } from "../../http/pages.ts";
import { CONSENT_SCRIPT } from "./consent-script.ts";
import { OAUTH_PATHS } from "./metadata.ts";

const PERMISSIONS: Readonly<Record<Scope, { label: string; description: string }>> = {
  "reports:read": { label: "Read", description: "List, search and read reports." },
  "reports:write": { label: "Write", description: "Publish, rename, file, tag and share reports. Includes Read." },
  "reports:delete": { label: "Delete", description: "Delete reports and versions. Includes no other scope." },
};

/** The person who decides. */
interface Decider {
  email: string;
  workspaces: readonly Membership[];
  /** The slug of the workspace to suggest. */
  workspace: string;
}

interface ConsentForm {
  /** The address that receives the decision. */
  to: string;
  /** What to send with the decision. */
  body: object;
  scopes: readonly Scope[];
  checked: readonly Scope[];
  /** The page to go to afterwards, unless the response names an address. */
  next?: string;
}

const labelOf = ({ slug, displayName }: Membership) => (displayName ? `${displayName} (${slug})` : slug);

const workspaceHtml = ({ workspaces, workspace }: Decider) => {
  const options = workspaces.map(
    (one) =>
      `<option value="${escapeHtml(one.slug)}"${one.slug === workspace ? " selected" : ""}>${escapeHtml(labelOf(one))}</option>`,
  );
  return `<label>Workspace <small>Publishes here. Can also read reports in your other workspaces.</small>
<select name="owner">${options.join("")}</select></label>`;
};

const scopeHtml = (scope: Scope, isChecked: boolean) => `<label class="choice">
<input type="checkbox" name="scope" value="${scope}"${isChecked ? " checked" : ""}> ${PERMISSIONS[scope].label}
<small>${PERMISSIONS[scope].description}</small></label>`;

const consentHtml = ({ to, body, scopes, checked, next = "" }: ConsentForm, decider: Decider) => `
<form data-to="${to}" data-next="${escapeHtml(next)}" data-body="${escapeHtml(JSON.stringify(body))}">
${workspaceHtml(decider)}
<fieldset><legend>Permissions</legend>
${scopes.map((scope) => scopeHtml(scope, checked.includes(scope))).join("\n")}
</fieldset>
<p role="alert"></p>
<p class="actions"><button type="button" class="quiet" disabled value="cancel">Cancel</button>
<button type="button" disabled value="allow">Allow</button></p>
<noscript><p>JavaScript is turned off in your browser. Turn it on to use this form.</p></noscript>
</form>
<p class="foot">Signed in as ${escapeHtml(decider.email)}. You can disconnect at any time under Access tokens in your account.</p>`;

/** Says where the answer goes, which a made-up name can't hide. */
function destinationHtml({ id }: Client, redirectUri: string): string {
  const url = new URL(redirectUri);
  const place = isLoopback(url)
    ? "a program on this computer"
    : url.protocol === "https:"
      ? `<strong>${escapeHtml(url.host)}</strong>`
      : `a program on this computer that opens <strong>${escapeHtml(url.protocol)}</strong> links`;
  const proof = isDocumentId(id)
    ? `The app is identified by <strong>${escapeHtml(new URL(id).host)}</strong>.`
    : "The app chose its name itself, so only continue if you started this.";
  return `<p>Access goes to ${place}. ${proof}</p>`;
}

/** Returns the page on which a person allows or declines what a program asks for. */
export function consentPage(
  nonce: string,
  { client, redirectUri, scopes, namesScopes }: AuthorizationRequest,
  parameters: RequestParameters,
  decider: Decider,
): string {
  const checked = namesScopes ? scopes : scopes.filter((scope) => scope !== "reports:delete");
  const form = { to: "/api/apps/connect", body: { request: parameters }, scopes, checked };
  return page(
    `Connect ${client.name} to Vitrine?`,
    `${destinationHtml(client, redirectUri)}${consentHtml(form, decider)}`,
    { nonce, script: CONSENT_SCRIPT },
  );
}

/** Returns the page on which a person allows or declines a device, after comparing codes. */
export function deviceConsentPage(nonce: string, userCode: string, device: Device, decider: Decider): string {
  const form = {
    to: "/api/apps/answer-device",
    body: { user_code: userCode },
    scopes: device.requested,
    checked: device.requested.filter((scope) => scope !== "reports:delete"),
    next: OAUTH_PATHS.devicePage,
  };
  return page(
    `Sign in ${device.name}?`,
    `<p>Only continue if you ran <code>vitrine login</code> yourself and your terminal shows this code:</p>
<p class="code">${escapeHtml(userCode)}</p>${consentHtml(form, decider)}`,
    { nonce, script: CONSENT_SCRIPT },
  );
}

/** Returns the page on which a person enters the code that a device shows. */
export const deviceCodePage = (nonce: string, problem?: string) =>
  page(
    "Sign in a device",
    `<p>Enter the code that <code>vitrine login</code> shows in your terminal.</p>
<form method="get" action="${OAUTH_PATHS.devicePage}">
<label>Code
<input name="user_code" required autofocus autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="XXXX-XXXX" maxlength="20"></label>
<p role="alert">${escapeHtml(problem ?? "")}</p>
<button>Continue</button>
</form>`,
    { nonce },
  );

/** Returns the page after a person decided about a device. */
export const deviceAnsweredPage = (isAllowed: boolean) =>
  isAllowed
    ? page("You're signed in", "<p>Return to your terminal. You can close this page.</p>")
    : page("Sign-in declined", "<p>The terminal didn't get access. You can close this page.</p>");

/** Returns the page for a request of a program that isn't valid. It never redirects automatically, because anyone can register. */
export const refusedPage = (message: string) =>
  page(
    "This app can't be connected",
    `<p>${escapeHtml(message)}</p>
<p>Close this page and start again in the app. If it keeps happening, tell the app's maker.</p>`,
  );

/** Returns the page on which a person confirms their identity first. `own` is the path to return to. */
export const confirmPage = (nonce: string, own: string, hasSingleSignOn: boolean) =>
  page(
    "Confirm it's you",
    `<p>You signed in more than an hour ago. Confirm your identity to connect an app.</p>
${formHtml({
  to: ["/api/auth/confirm-password"],
  next: own,
  button: "Continue",
  fields: [
    { name: "password", label: "Password", type: "password", autocomplete: "current-password", more: " autofocus" },
  ],
})}${
  hasSingleSignOn
    ? `\n<p class="or">or</p>\n${formHtml({
        to: ["/api/auth/sign-in/oidc"],
        leadsOn: true,
        hidden: { next: own, confirm: "true" },
        button: "Continue with single sign-on",
        isQuiet: true,
      })}`
    : ""
}`,
    { nonce, script: FORM_SCRIPT },
  );
