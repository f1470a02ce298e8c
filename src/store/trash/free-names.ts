import { REPORT_NAME_CHARACTERS } from "../../domain/model/names.ts";
import type { Database } from "../engine/schema.ts";
import { inChunks } from "./belongings.ts";

/** Numbers to try at a time. */
const TRIED = 50;

/** Returns those of the names that reports have, each with a free name like it. */
export async function findFreeNames(database: Database, names: readonly string[]): Promise<Map<string, string>> {
  const free = new Map<string, string>();
  for (const name of await findTaken(database, names)) free.set(name, await findFree(database, name));
  return free;
}

async function findFree(database: Database, name: string): Promise<string> {
  for (let first = 2; ; first += TRIED) {
    const candidates = Array.from({ length: TRIED }, (_, position) => numbered(name, first + position));
    const taken = await findTaken(database, candidates);
    const found = candidates.find((candidate) => !taken.has(candidate));
    if (found !== undefined) return found;
  }
}

function numbered(name: string, number: number): string {
  const ending = `-${number}`;
  return `${name.slice(0, REPORT_NAME_CHARACTERS - ending.length)}${ending}`;
}

async function findTaken(database: Database, names: readonly string[]): Promise<Set<string>> {
  const taken = new Set<string>();
  await inChunks(names, async (chunk) => {
    const rows = await database.selectFrom("items").select("name").where("name", "in", chunk).execute();
    for (const { name } of rows) if (name !== null) taken.add(name);
  });
  return taken;
}
