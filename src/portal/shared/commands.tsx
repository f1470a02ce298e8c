import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";

/** Something that can be done from the command palette. */
export interface Command {
  id: string;
  label: string;
  /** Under which heading it stands. */
  group: string;
  /** What it is found by besides its label. */
  keywords?: string;
  /** The key that does it where it is at home. */
  hint?: string;
  run(): void;
}

interface Registry {
  /** What can be done on this page, in the order in which its parts said so. */
  list(): readonly Command[];
  register(commands: () => readonly Command[]): () => void;
}

const CommandsContext = createContext<Registry>({ list: () => [], register: () => () => undefined });

export function CommandsProvider({ children }: { children: ReactNode }) {
  const [registry] = useState(createRegistry);
  return <CommandsContext value={registry}>{children}</CommandsContext>;
}

function createRegistry(): Registry {
  const sources = new Set<() => readonly Command[]>();
  return {
    list: () => [...sources].flatMap((read) => read()),
    register(read) {
      sources.add(read);
      return () => sources.delete(read);
    },
  };
}

/** Offers commands in the palette for as long as the caller is on the page. */
export function useCommands(commands: readonly Command[]): void {
  const { register } = useContext(CommandsContext);
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => register(() => latest.current), [register]);
}

/** What can be done here at the moment when this is first called. */
export function useCommandList(): readonly Command[] {
  const { list } = useContext(CommandsContext);
  return useMemo(list, [list]);
}
