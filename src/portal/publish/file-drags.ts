/** Milliseconds after which a drag that left an element has left the window. */
const LEFT_AFTER = 150;
/** Milliseconds without drag events after which a drag has ended elsewhere; they come at least three times a second. */
const LOST_AFTER = 1000;

interface Following {
  signal: AbortSignal;
  /** Receives the element under the pointer; null when no files are over the window. */
  onOver(target: Element | null): void;
  onDrop(transfer: DataTransfer, target: Element): void;
}

/** Follows drags of external files over the window. */
export function followFileDrags({ signal, onOver, onDrop }: Following): void {
  let isInner = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** A dragged image of this page counts as a file too. */
  const filesOf = ({ dataTransfer }: DragEvent) =>
    !isInner && dataTransfer?.types.includes("Files") ? dataTransfer : undefined;

  const elementOf = ({ target }: DragEvent): Element => (target instanceof Element ? target : document.body);

  function over(event: DragEvent): void {
    const transfer = filesOf(event);
    if (transfer === undefined) return;
    event.preventDefault();
    transfer.dropEffect = "copy";
    onOver(elementOf(event));
    endIn(LOST_AFTER);
  }

  function endIn(delay: number): void {
    clearTimeout(timer);
    timer = setTimeout(onOver, delay, null);
  }

  const on = (
    type: "dragstart" | "dragend" | "dragenter" | "dragover" | "dragleave" | "drop",
    hear: (event: DragEvent) => void,
  ) => addEventListener(type, hear, { signal });

  signal.addEventListener("abort", () => clearTimeout(timer));
  on("dragstart", () => {
    isInner = true;
  });
  on("dragend", () => {
    isInner = false;
  });
  on("dragenter", over);
  on("dragover", over);
  on("dragleave", (event) => {
    if (event.relatedTarget === null) endIn(LEFT_AFTER);
  });
  on("drop", (event) => {
    const transfer = filesOf(event);
    isInner = false;
    endIn(0);
    if (transfer === undefined) return;
    event.preventDefault();
    onDrop(transfer, elementOf(event));
  });
}
