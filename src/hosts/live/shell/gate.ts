import type { GuestPageState, OpenedGuestLink } from "../messages.ts";
import { part } from "./page-parts.ts";

/** What the server answers: content, or why not. */
export type Answer<Content> = { content: Content; error?: undefined } | { content?: undefined; error: string };

interface Gate {
  state: Pick<GuestPageState, "needsPassword" | "needsEmail">;
  /** What went wrong before the gate was shown. */
  error?: string | undefined;
  open(proof: Record<string, string>): Promise<Answer<OpenedGuestLink>>;
  requestCode(email: string): Promise<Answer<unknown>>;
  opened(link: OpenedGuestLink): void;
}

/** Asks for what a guest link demands: an address and the code sent to it, a password, or both. */
export function startGate({ state, error, open, requestCode, opened }: Gate): void {
  const gate = part("gate", HTMLElement);
  const alert = part("gate-alert", HTMLElement);
  const form = part("gate-form", HTMLFormElement);
  const button = part("gate-button", HTMLButtonElement);
  let isCodeSent = false;

  gate.hidden = false;
  render();
  tell(error);

  function tell(text = ""): void {
    alert.textContent = text;
  }

  /** Shows the fields of the next step, and moves the focus to the first of them. */
  function render(): void {
    const asksForAddress = state.needsEmail && !isCodeSent;
    showField("email", asksForAddress);
    showField("code", state.needsEmail && isCodeSent);
    showField("password", state.needsPassword && !asksForAddress);
    part("gate-sent", HTMLElement).hidden = !isCodeSent;
    part("gate-reason", HTMLElement).hidden = isCodeSent;
    const isPlain = !state.needsEmail && !state.needsPassword;
    button.textContent = asksForAddress ? "Send code" : isPlain ? "Try again" : "Open report";
    (form.querySelector<HTMLInputElement>("label:not([hidden]) input") ?? button).focus();
  }

  function showField(name: string, isShown: boolean): void {
    const input = form.elements.namedItem(name);
    if (!(input instanceof HTMLInputElement)) return;
    input.disabled = !isShown;
    const label = input.closest("label");
    if (label) label.hidden = !isShown;
  }

  const textOf = (name: string): string => {
    const input = form.elements.namedItem(name);
    return input instanceof HTMLInputElement ? input.value.trim() : "";
  };

  async function submit(): Promise<void> {
    if (state.needsEmail && !isCodeSent) {
      const sent = await requestCode(textOf("email"));
      isCodeSent = sent.error === undefined;
      if (isCodeSent) render();
      return tell(sent.error);
    }
    const proof: Record<string, string> = {};
    if (state.needsEmail) Object.assign(proof, { email: textOf("email"), code: textOf("code").replace(/\s/g, "") });
    const password = form.elements.namedItem("password");
    if (state.needsPassword && password instanceof HTMLInputElement) proof.password = password.value;
    const answer = await open(proof);
    if (answer.content !== undefined) return opened(answer.content);
    tell(answer.error);
    form.querySelector<HTMLInputElement>("label:not([hidden]) input")?.select();
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    tell();
    button.disabled = true;
    await submit().finally(() => {
      button.disabled = false;
    });
  });
  part("gate-back", HTMLButtonElement).addEventListener("click", () => {
    isCodeSent = false;
    tell();
    render();
  });
}
