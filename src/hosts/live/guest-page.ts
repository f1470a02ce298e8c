import { isGuarded } from "../../domain/sharing/guest-access.ts";
import type { OpenGuestLink } from "../../domain/sharing/guest-ports.ts";
import { MARK_ELEMENT } from "../../look/mark.ts";
import { ICON_LINK } from "../http/icon.ts";
import { page } from "../http/pages.ts";
import { jsonForScript } from "../http/script-json.ts";
import type { GuestPageState } from "./messages.ts";
import type { ShellCode } from "./shell-code.ts";
import { frameHtml } from "./shell-page.ts";

interface GuestPage {
  link: OpenGuestLink;
  /** What sites that preview the link learn, as tags of the head. */
  previewTags: string;
  code: Pick<ShellCode, "guestStyle" | "guestScript">;
  nonce: string;
}

/** Keeps search engines and their previews away. */
export const NO_INDEX = "noindex, nofollow, noarchive";

/**
 * Returns the page of a guest link. Without a preview it says nothing about the report: its script exchanges the link's secret
 * for that, so that programs that only load pages, such as those that make previews, neither learn a title nor count as an opening.
 */
export function guestPage({ link, previewTags, code, nonce }: GuestPage): string {
  const state: GuestPageState = {
    id: link.id,
    needsPassword: link.passwordHash !== null,
    needsEmail: link.emails !== null,
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="${NO_INDEX}">
<title>Shared report · Vitrine</title>
${previewTags}${ICON_LINK}
<style nonce="${nonce}">${code.guestStyle}</style>
</head>
<body${isGuarded(link) ? ' class="closed"' : ""}>
<header id="bar" class="bar-place"></header>
<main id="stage"><noscript><p class="plain">This page needs JavaScript, which is turned off in your browser.</p></noscript>${frameHtml("Shared report")}</main>
${gateHtml(state)}<section id="gone" class="gone" role="main" hidden>${MARK_ELEMENT}
<h2 id="gone-title" tabindex="-1">This report is no longer available</h2><p>The link was revoked or has expired, or the report was deleted. If you opened it more than 8 hours ago, you may have to open it again.</p><p><a href="">Open it again</a></p></section>
<script id="state" type="application/json">${jsonForScript(state)}</script>
<script nonce="${nonce}">${code.guestScript}</script>
</body>
</html>
`;
}

function gateHtml({ needsPassword, needsEmail }: GuestPageState): string {
  const [title, reason] = needsEmail
    ? ["Confirm your email address", "This report is shared with certain people. We'll email you a code to open it."]
    : needsPassword
      ? ["Enter the password", "This report is protected. Ask the person who sent you the link for the password."]
      : ["The report couldn't be opened", ""];
  return `<section id="gate" class="gone gate" role="main" aria-labelledby="gate-title" hidden>${MARK_ELEMENT}
<h1 id="gate-title">${title}</h1>
<p id="gate-reason">${reason}</p>
<p id="gate-sent" hidden>If the report is shared with that address, a code is on its way. It expires in 10 minutes. <button id="gate-back" type="button">Use another address or send a new code</button></p>
<form id="gate-form">
<label hidden>Email address<input name="email" type="email" autocomplete="email" autocapitalize="none" spellcheck="false" required disabled></label>
<label hidden>Code<input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,7}" maxlength="7" required disabled></label>
<label hidden>Password<input name="password" type="password" autocomplete="off" required disabled></label>
<p id="gate-alert" role="alert"></p>
<button id="gate-button" class="main"></button>
</form>
</section>
`;
}

/** The page for links that never existed, have expired or were revoked, and for those to deleted reports. */
export const GUEST_LINK_OVER = page(
  "This link doesn't work",
  "<p>It may have expired or been revoked, or it was copied incompletely. Ask the person who sent it to you for a new one.</p>",
);

/** The page for addresses from which too many unknown links were opened. */
export const TOO_MANY_LINKS = page(
  "Too many attempts",
  "<p>Too many links that don't work were opened from your network. Try again in a few minutes.</p>",
);
