/** Content of a drop, read while the event still exposes it. */
export interface Dropped {
  /** Folders, and files that the browser gives in no other way. */
  entries: readonly FileSystemEntry[];
  files: readonly File[];
}

interface EarlyDrop {
  dropped: Dropped;
  /** Where it was dropped. */
  element: Element | undefined;
}

/** Must run during the drop event. */
export function emptyTransfer(transfer: DataTransfer): Dropped {
  const entries: FileSystemEntry[] = [];
  const files: File[] = [];
  for (const item of transfer.items) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry();
    // A file itself stays readable after the event; in WebKit, an entry of one may not.
    const file = entry?.isDirectory === true ? null : item.getAsFile();
    if (file !== null) files.push(file);
    else if (entry !== null) entries.push(entry);
  }
  return { entries, files };
}

/** Returns the transfer of external files; an image of the page itself comes with its HTML. */
const filesOf = ({ dataTransfer }: DragEvent): DataTransfer | undefined =>
  dataTransfer?.types.includes("Files") && !dataTransfer.types.includes("text/html") ? dataTransfer : undefined;

/**
 * Keeps files that are dropped before the code for them is loaded. Without it, the browser would open the file in place of
 * the portal.
 */
export function createEarlyDrops() {
  let waiting: EarlyDrop | undefined;
  let receive: ((drop: EarlyDrop) => void) | undefined;
  const subscribers = new Set<() => void>();

  function set(drop: EarlyDrop | undefined): void {
    waiting = drop;
    for (const changed of subscribers) changed();
  }

  function over(event: DragEvent): void {
    if (receive === undefined && filesOf(event) !== undefined) event.preventDefault();
  }

  function drop(event: DragEvent): void {
    const transfer = filesOf(event);
    if (receive !== undefined || transfer === undefined) return;
    event.preventDefault();
    set({ dropped: emptyTransfer(transfer), element: event.target instanceof Element ? event.target : undefined });
  }

  return {
    /** Begins to keep drops. Returns a function that ends it. */
    listen(): () => void {
      addEventListener("dragenter", over);
      addEventListener("dragover", over);
      addEventListener("drop", drop);
      return () => {
        removeEventListener("dragenter", over);
        removeEventListener("dragover", over);
        removeEventListener("drop", drop);
      };
    },
    /** Hands over what was dropped before; from now on, the receiver follows drags itself. Returns a function that ends it. */
    follow(receiver: (drop: EarlyDrop) => void): () => void {
      receive = receiver;
      const early = waiting;
      set(undefined);
      if (early !== undefined) receiver(early);
      return () => {
        if (receive === receiver) receive = undefined;
      };
    },
    subscribe(changed: () => void): () => void {
      subscribers.add(changed);
      return () => subscribers.delete(changed);
    },
    hasWaiting: (): boolean => waiting !== undefined,
  };
}

export type EarlyDrops = ReturnType<typeof createEarlyDrops>;
