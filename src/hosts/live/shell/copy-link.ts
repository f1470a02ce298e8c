import { part, say } from "./page-parts.ts";

const button = part("copy", HTMLButtonElement);
const label = button.querySelector("span");

/** Milliseconds for which the button shows the outcome. */
const CONFIRMATION = 2_000;

/** Makes the button copy this page's address, which doesn't depend on the version shown. */
export function offerCopying(): void {
  const text = label?.textContent ?? "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener("click", async () => {
    const isCopied = await copy(location.href);
    const outcome = isCopied ? "Copied" : "Not copied";
    if (label) label.textContent = outcome;
    button.dataset.done = String(isCopied);
    say(isCopied ? "Link copied." : "Couldn't copy the link.");
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (label) label.textContent = text;
      delete button.dataset.done;
    }, CONFIRMATION);
  });
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Browsers offer no other way on plain HTTP. */
function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.className = "unseen";
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  button.focus();
  return isCopied;
}
