/** Milliseconds for which the full screen names a version. */
const HINT_TIME = 2_000;

interface Presenting {
  button: HTMLButtonElement;
  /** Returns what fills the screen. */
  stage(): HTMLElement | null;
}

/** Lets the reader see the report on the full screen. */
export function createPresenting({ button, stage }: Presenting) {
  const hint = document.createElement("p");
  hint.className = "reader-bar-hint";
  hint.hidden = true;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isOn = () => document.fullscreenElement !== null && document.fullscreenElement === stage();

  async function toggle(): Promise<void> {
    if (isOn()) return document.exitFullscreen();
    // Refused where another page's policy or a setting forbids it.
    const element = stage();
    await element?.requestFullscreen({ navigationUI: "hide" }).catch(() => undefined);
    if (element === null || !isOn()) return;
    // Keys reach this page until the reader clicks into the report.
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
  }

  /** Names a version on the full screen, where the bar is hidden. */
  function show(text: string): void {
    if (!isOn()) return;
    hint.textContent = text;
    hint.hidden = false;
    stage()?.append(hint);
    clearTimeout(timer);
    timer = setTimeout(() => hint.remove(), HINT_TIME);
  }

  button.hidden = !document.fullscreenEnabled;
  button.addEventListener("click", () => void toggle());

  return { isOn, toggle, show };
}
