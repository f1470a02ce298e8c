import { part, say } from "./page-parts.ts";

const button = part("copy", HTMLButtonElement);
const label = button.querySelector("span");

/** Milliseconds for which the button shows the outcome. */
const THANKS = 2_000;

/** Makes the button copy this page's address, which is the same for every version shown. */
export function offerCopying(): void {
  const text = label?.textContent ?? "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener("click", async () => {
    const isCopied = await copy(location.href);
    const outcome = isCopied ? "Copied" : "Not copied";
    if (label) label.textContent = outcome;
    button.dataset.done = String(isCopied);
    say(isCopied ? "The link has been copied." : "The link could not be copied.");
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (label) label.textContent = text;
      delete button.dataset.done;
    }, THANKS);
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
