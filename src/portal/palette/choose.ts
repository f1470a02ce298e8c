import type { Command } from "../shared/commands.tsx";

/** Commands shown per group. */
const SHOWN = 6;

export interface CommandGroup {
  name: string;
  commands: Command[];
}

/** Returns the commands that contain every word of a query, by group, best match first. */
export function chooseCommands(commands: readonly Command[], query: string): CommandGroup[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, { command: Command; rank: number }[]>();
  for (const command of commands) {
    const rank = rankOf(command, words);
    if (rank === undefined) continue;
    const group = groups.get(command.group) ?? [];
    group.push({ command, rank });
    groups.set(command.group, group);
  }
  return [...groups].map(([name, found]) => ({
    name,
    commands: found
      .sort((one, other) => one.rank - other.rank)
      .slice(0, SHOWN)
      .map(({ command }) => command),
  }));
}

/** Returns undefined if a word is missing; lower is better, and 0 means the label starts with the query. */
function rankOf({ label, keywords = "" }: Command, words: readonly string[]): number | undefined {
  const title = label.toLocaleLowerCase();
  const all = `${title} ${keywords}`;
  if (!words.every((word) => all.includes(word))) return undefined;
  if (words.length === 0 || title.startsWith(words.join(" "))) return 0;
  return words.every((word) => title.includes(word)) ? 1 : 2;
}
