import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";

/** A command of the palette. */
export interface Command {
  id: string;
  label: string;
  /** The heading it is listed under. */
  group: string;
  /** More words it is found by. */
  keywords?: string;
  /** The keyboard shortcut outside the palette, such as "c" or "g r". */
  hint?: string;
  run(): void;
}

interface Registry {
  /** Returns the page's commands, in the order of registration. */
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

/** Adds commands to the palette while the component is mounted. */
export function useCommands(commands: readonly Command[]): void {
  const { register } = useContext(CommandsContext);
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => register(() => latest.current), [register]);
}

/** Returns the page's commands as of the first render. */
export function useCommandList(): readonly Command[] {
  const { list } = useContext(CommandsContext);
  return useMemo(list, [list]);
}
