interface Disclosure {
  root: HTMLElement;
  button: HTMLButtonElement;
  /** The attribute of the root element while it is open. */
  flag: string;
  /** Ends with the bar. */
  signal: AbortSignal;
}

/** Makes a button show a part of the bar until the reader turns elsewhere. */
export function createDisclosure({ root, button, flag, signal }: Disclosure): void {
  function set(isOpen: boolean): void {
    root.toggleAttribute(flag, isOpen);
    button.setAttribute("aria-expanded", String(isOpen));
  }
  const close = () => set(false);
  button.addEventListener("click", () => set(!root.hasAttribute(flag)));
  root.addEventListener(
    "keydown",
    ({ key }) => {
      if (key !== "Escape" || !root.hasAttribute(flag)) return;
      close();
      button.focus();
    },
    { signal },
  );
  document.addEventListener(
    "pointerdown",
    ({ target }) => {
      if (target instanceof Node && !root.contains(target)) close();
    },
    { signal },
  );
  // Clicks inside the report are invisible here, but they blur the window.
  addEventListener("blur", close, { signal });
}
