import { useWindowEvent } from "@mantine/hooks";
import { type Dispatch, type SetStateAction, useMemo, useRef, useState } from "react";
import { notifyWarning } from "../shared/notify.ts";
import { collectChosen, collectDropped } from "./collect.ts";
import type { Collected } from "./collected.ts";
import { type DraftFile, INDEX } from "./draft-files.ts";
import { useDrops } from "./drop-box.tsx";
import type { Dropped } from "./handed.ts";
import { isPastedInField, pastedHtml } from "./pasted.ts";

/** The report being prepared. */
export interface Draft {
  files: readonly DraftFile[];
  /** Names of skipped files: hidden or unreadable. */
  hidden: readonly string[];
  unreadable: readonly string[];
  /** Whether a folder had too many files. */
  isCut: boolean;
  /** The folder or archive the files came from. */
  from: string | undefined;
  /** The file chosen to open first. */
  startId: string | undefined;
  /** Whether files leave their folders and get valid names. */
  isFlat: boolean;
  change(change: (files: readonly DraftFile[]) => DraftFile[]): void;
  choose(chosen: Iterable<File>): void;
  paste(html: string): void;
  start(id: string): void;
  flatten(): void;
  clear(): void;
}

type State = Pick<Draft, "files" | "hidden" | "unreadable" | "isCut" | "from" | "startId" | "isFlat">;

const empty: State = {
  files: [],
  hidden: [],
  unreadable: [],
  isCut: false,
  from: undefined,
  startId: undefined,
  isFlat: false,
};

/** Holds the files to publish, including those dropped on the page. `isBusy` tells whether they are being sent. */
export function useDraft(isBusy: () => boolean): Draft {
  const [state, setState] = useState(empty);
  const latest = useRef(isBusy);
  latest.current = isBusy;
  const actions = useMemo(() => createActions(setState, () => latest.current()), []);
  usePastes(actions);
  useDrops((dropped) => (typeof dropped === "string" ? actions.paste(dropped) : void actions.drop(dropped)));
  return useMemo(() => ({ ...state, ...actions }), [state, actions]);
}

/** Takes files and HTML pasted anywhere but in a field. */
function usePastes({ choose, paste }: Pick<Draft, "choose" | "paste">): void {
  useWindowEvent("paste", (event: ClipboardEvent) => {
    const data = event.clipboardData;
    if (data === null || isPastedInField(event)) return;
    if (data.files.length > 0) return choose([...data.files]);
    const html = pastedHtml(data);
    if (html !== undefined) paste(html);
    else if (data.getData("text/plain") !== "") notifyWarning("Can't publish this", "The pasted text isn't HTML.");
  });
}

function createActions(setState: Dispatch<SetStateAction<State>>, isBusy: () => boolean) {
  async function add(collecting: Promise<Collected>): Promise<void> {
    const collected = await collecting.catch((error: unknown) => error);
    if (!isCollected(collected)) {
      notifyWarning("No files added", collected instanceof Error ? collected.message : String(collected));
      return;
    }
    const problem = refusalFor(collected, isBusy());
    if (problem !== undefined) {
      notifyWarning("No files added", problem);
      return;
    }
    const files = collected.files.map((file) => ({ ...file, id: newId() }));
    setState((before) => ({
      ...before,
      files: [...before.files, ...files],
      hidden: [...before.hidden, ...collected.hidden],
      unreadable: [...before.unreadable, ...collected.unreadable],
      isCut: before.isCut || collected.isCut,
      from: before.from ?? collected.from,
    }));
  }

  function change(change: (files: readonly DraftFile[]) => DraftFile[]): void {
    setState((before) => {
      const files = change(before.files);
      return files.length === 0 ? empty : { ...before, files };
    });
  }

  function paste(html: string): void {
    if (isBusy()) return;
    const pasted = { id: newId(), path: INDEX, source: new Blob([html], { type: "text/html" }) };
    setState((before) => ({ ...before, files: withPasted(before.files, pasted) }));
  }

  return {
    change,
    paste,
    choose: (chosen: Iterable<File>) => void add(collectChosen(chosen)),
    drop: (dropped: Dropped) => add(collectDropped(dropped)),
    start: (startId: string) => setState((before) => ({ ...before, startId })),
    flatten: () => setState((before) => ({ ...before, isFlat: true })),
    clear: () => setState(empty),
  };
}

const isCollected = (value: unknown): value is Collected =>
  typeof value === "object" && value !== null && "files" in value;

function refusalFor({ files, hidden, unreadable }: Collected, isBusy: boolean): string | undefined {
  if (isBusy) return "Wait until publishing has finished.";
  if (files.length > 0) return undefined;
  if (unreadable.length > 0) return "The files couldn't be read.";
  return hidden.length > 0 ? "There are only hidden files." : "The folder is empty.";
}

/** `randomUUID` needs HTTPS, which this page may not have. */
const newId = (): string => crypto.getRandomValues(new Uint32Array(3)).join("-");

/** A paste replaces an earlier paste, never a file. */
const withPasted = (files: readonly DraftFile[], pasted: DraftFile): DraftFile[] => [
  ...files.filter(({ path, source }) => path !== INDEX || source instanceof File),
  pasted,
];
