import { setText } from "../../client/set-text.ts";

/** Milliseconds for which the button shows the outcome. */
const CONFIRMATION = 2_000;

interface Copying {
  button: HTMLButtonElement;
  link(): string;
  say(text: string): void;
}

/** Makes a button copy a link and say so. */
export function offerCopying({ button, link, say }: Copying): void {
  const label = button.querySelector("span");
  const text = label?.textContent ?? "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener("click", async () => {
    const isCopied = await copy(link(), button);
    if (label) setText(label, isCopied ? "Copied" : "Not copied");
    button.dataset.done = String(isCopied);
    say(isCopied ? "Link copied." : "Couldn't copy the link.");
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (label) setText(label, text);
      delete button.dataset.done;
    }, CONFIRMATION);
  });
}

async function copy(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, button);
  }
}

/** Browsers offer no other way on plain HTTP. */
function copyBySelection(text: string, button: HTMLElement): boolean {
  const field = document.createElement("textarea");
  field.className = "unseen";
  field.value = text;
  button.after(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  button.focus();
  return isCopied;
}
