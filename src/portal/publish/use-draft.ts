import { useState } from "react";
import { type Collected, collectChosen, collectDropped } from "./collect.ts";
import { type DraftFile, INDEX } from "./draft-files.ts";
import { useDrops } from "./drop-box.tsx";

/** What is to be published, before it is. */
export interface Draft {
  files: readonly DraftFile[];
  /** Names of what was left out: hidden files, and those that could not be read. */
  hidden: readonly string[];
  unreadable: readonly string[];
  /** Whether not all files of a folder were looked at. */
  isCut: boolean;
  change(change: (files: readonly DraftFile[]) => DraftFile[]): void;
  choose(chosen: Iterable<File>): void;
  paste(html: string): void;
  clear(): void;
}

const empty = { files: [] as readonly DraftFile[], hidden: [], unreadable: [], isCut: false };
type State = Pick<Draft, "files" | "hidden" | "unreadable" | "isCut">;

/** The files of a report that is being put together; what is dropped on the page comes to them, but not while they are sent. */
export function useDraft(isBusy: () => boolean, onAdded: () => void): Draft {
  const [state, setState] = useState<State>(empty);

  const add = (collected: Collected) => {
    if (isBusy()) return;
    const files = collected.files.map((file) => ({ ...file, id: newId() }));
    setState((before) => ({
      files: [...before.files, ...files],
      hidden: [...before.hidden, ...collected.hidden],
      unreadable: [...before.unreadable, ...collected.unreadable],
      isCut: before.isCut || collected.isCut,
    }));
    onAdded();
  };

  useDrops(async (dropped) => add(await collectDropped(dropped)));

  return {
    ...state,
    change: (change) => setState((before) => ({ ...before, files: change(before.files) })),
    choose: (chosen) => add(collectChosen(chosen)),
    paste(html) {
      if (isBusy()) return;
      const pasted = { id: newId(), path: INDEX, source: new Blob([html], { type: "text/html" }) };
      setState((before) => ({ ...before, files: withPasted(before.files, pasted) }));
    },
    clear: () => setState(empty),
  };
}

/** Also where the page is not served over https, which `randomUUID` wants. */
const newId = (): string => crypto.getRandomValues(new Uint32Array(3)).join("-");

/** A paste takes the place of an earlier one, and not of a file. */
const withPasted = (files: readonly DraftFile[], pasted: DraftFile): DraftFile[] => [
  ...files.filter(({ path, source }) => path !== INDEX || source instanceof File),
  pasted,
];
