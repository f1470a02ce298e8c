import { emptyTransfer, type Handed } from "./handed.ts";
import { pastedIn } from "./pasted.ts";

interface EarlyDrop {
  handed: Handed;
  /** Where it was dropped. */
  element: Element | undefined;
}

/** Returns the transfer of external files; an image of the page itself comes with its HTML. */
const filesOf = ({ dataTransfer }: DragEvent): DataTransfer | undefined =>
  dataTransfer?.types.includes("Files") && !dataTransfer.types.includes("text/html") ? dataTransfer : undefined;

/**
 * Keeps what is dropped or pasted before the code for it is loaded. Without it, the browser would open a dropped file in place of
 * the portal. `takesPastes` says whether the page does so itself.
 */
export function createEarlyDrops(takesPastes: () => boolean) {
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
    set({ handed: emptyTransfer(transfer), element: event.target instanceof Element ? event.target : undefined });
  }

  function paste(event: ClipboardEvent): void {
    const handed = receive !== undefined || takesPastes() ? undefined : pastedIn(event);
    if (handed !== undefined) set({ handed, element: undefined });
  }

  return {
    /** Begins to keep drops and pastes. Returns a function that ends it. */
    listen(): () => void {
      addEventListener("dragenter", over);
      addEventListener("dragover", over);
      addEventListener("drop", drop);
      addEventListener("paste", paste);
      return () => {
        removeEventListener("dragenter", over);
        removeEventListener("dragover", over);
        removeEventListener("drop", drop);
        removeEventListener("paste", paste);
      };
    },
    /** Hands over what came before; from now on, the receiver follows drags and pastes itself. Returns a function that ends it. */
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
