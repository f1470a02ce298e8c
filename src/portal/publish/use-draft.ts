import { type Dispatch, type SetStateAction, useMemo, useRef, useState } from "react";
import { notifyWarning } from "../shared/notify.ts";
import { type Collected, collectChosen, collectDropped } from "./collect.ts";
import { type DraftFile, INDEX } from "./draft-files.ts";
import { type Dropped, useDrops } from "./drop-box.tsx";

/** The report being prepared. */
export interface Draft {
  files: readonly DraftFile[];
  /** Names of skipped files: hidden or unreadable. */
  hidden: readonly string[];
  unreadable: readonly string[];
  /** Whether a folder had too many files. */
  isCut: boolean;
  change(change: (files: readonly DraftFile[]) => DraftFile[]): void;
  choose(chosen: Iterable<File>): void;
  paste(html: string): void;
  clear(): void;
}

type State = Pick<Draft, "files" | "hidden" | "unreadable" | "isCut">;
const empty: State = { files: [], hidden: [], unreadable: [], isCut: false };

interface DraftOptions {
  /** Whether files are being sent and can't be changed. */
  isBusy(): boolean;
  onAdded(): void;
}

/** Holds the files to publish, including those dropped on the page. */
export function useDraft(options: DraftOptions): Draft {
  const [state, setState] = useState(empty);
  const latest = useRef(options);
  latest.current = options;
  const actions = useMemo(() => createActions(setState, () => latest.current), []);
  useDrops(actions.drop);
  return useMemo(() => ({ ...state, ...actions }), [state, actions]);
}

function createActions(setState: Dispatch<SetStateAction<State>>, options: () => DraftOptions) {
  function add(collected: Collected): void {
    const problem = refusalFor(collected, options().isBusy());
    if (problem !== undefined) {
      notifyWarning("No files added", problem);
      return;
    }
    const files = collected.files.map((file) => ({ ...file, id: newId() }));
    setState((before) => ({
      files: [...before.files, ...files],
      hidden: [...before.hidden, ...collected.hidden],
      unreadable: [...before.unreadable, ...collected.unreadable],
      isCut: before.isCut || collected.isCut,
    }));
    options().onAdded();
  }

  function change(change: (files: readonly DraftFile[]) => DraftFile[]): void {
    setState((before) => {
      const files = change(before.files);
      return files.length === 0 ? empty : { ...before, files };
    });
  }

  function paste(html: string): void {
    if (options().isBusy()) return;
    const pasted = { id: newId(), path: INDEX, source: new Blob([html], { type: "text/html" }) };
    setState((before) => ({ ...before, files: withPasted(before.files, pasted) }));
  }

  return {
    change,
    paste,
    choose: (chosen: Iterable<File>) => add(collectChosen(chosen)),
    drop: async (dropped: Dropped) => add(await collectDropped(dropped)),
    clear: () => setState(empty),
  };
}

function refusalFor({ files, hidden, unreadable }: Collected, isBusy: boolean): string | undefined {
  if (isBusy) return "Wait until publishing has finished.";
  if (files.length > 0) return undefined;
  if (unreadable.length > 0) return "The files couldn't be read.";
  return hidden.length > 0 ? "The folder contains only hidden files." : "The folder is empty.";
}

/** `randomUUID` needs HTTPS, which this page may not have. */
const newId = (): string => crypto.getRandomValues(new Uint32Array(3)).join("-");

/** A paste replaces an earlier paste, never a file. */
const withPasted = (files: readonly DraftFile[], pasted: DraftFile): DraftFile[] => [
  ...files.filter(({ path, source }) => path !== INDEX || source instanceof File),
  pasted,
];
