import { barHtml } from "../../../look/bar/markup.ts";
import { GUEST_PROTOCOL, type GuestPageState, type OpenedGuestLink, PASS_HEADER } from "../messages.ts";
import { offerComments } from "./comments-button.ts";
import type { Proof } from "./connection.ts";
import { followReport } from "./follow.ts";
import { type Answer, startGate } from "./gate.ts";
import { forgetPass, keepPass, keptPass } from "./kept-pass.ts";
import { findBar, part } from "./page-parts.ts";

/** Milliseconds to wait for the server. */
const TIMEOUT = 20_000;
const UNREACHABLE = "Can't reach the server. Check your connection and try again.";

const state: GuestPageState = JSON.parse(part("state", HTMLScriptElement).text);
const isGuarded = state.needsPassword || state.needsEmail;

/** Sends a request to this link, without cookies: the page also works in a frame of another site. */
async function send<Content>(address: string, body: object, pass?: string): Promise<Answer<Content>> {
  try {
    const response = await fetch(address, {
      method: "POST",
      credentials: "omit",
      headers: { "Content-Type": "application/json", ...(pass === undefined ? {} : { [PASS_HEADER]: pass }) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    // The link has ended since the page was loaded. The server says so in words.
    if (response.status === 404) location.reload();
    const answer = await response.json();
    return response.ok ? { content: answer } : { error: answer.error };
  } catch {
    return { error: UNREACHABLE };
  }
}

const proofOf = (pass: string | undefined): Proof =>
  pass === undefined
    ? { protocols: [], headers: {} }
    : { protocols: [GUEST_PROTOCOL, pass], headers: { [PASS_HEADER]: pass } };

function show({ pass, publisher, live: isLive, comments, current }: OpenedGuestLink, known?: string): void {
  if (pass !== undefined) keepPass(state.id, pass);
  part("gate", HTMLElement).remove();
  document.body.classList.remove("closed");
  const { title, version_no: versionNo, created_at: createdAt } = current;
  const { slug, name } = publisher;
  part("bar", HTMLElement).outerHTML = barHtml({
    ...{ title, versionNo, createdAt, isLive, heading: "h1" },
    publisher: { slug, name },
    comments: comments || undefined,
  });
  const proof = proofOf(pass ?? known);
  const frame = part("stage", HTMLElement).querySelector("iframe");
  if (frame) frame.title = title;
  followReport({
    root: findBar(),
    current,
    isLive,
    loadVersions: async () => {
      const response = await fetch("~current", { cache: "no-cache", headers: proof.headers });
      // Guests see no list of versions.
      return response.ok ? { versions: [await response.json()], complete: false } : undefined;
    },
    proof,
    extend: comments ? (view) => offerComments(findBar(), view, proof.headers) : undefined,
  });
}

function openGate(error?: string): void {
  startGate({
    state,
    error,
    open: (proof) => send<OpenedGuestLink>("~open", proof),
    requestCode: (email) => send("~code", { email }),
    opened: show,
  });
}

async function start(): Promise<void> {
  const pass = isGuarded ? keptPass(state.id) : undefined;
  if (isGuarded && pass === undefined) return openGate();
  const { content, error } = await send<OpenedGuestLink>("~open", {}, pass);
  if (content !== undefined) return show(content, pass);
  forgetPass(state.id);
  openGate(isGuarded ? undefined : error);
}

void start();
