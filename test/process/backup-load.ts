import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import { deleteCodeRoute } from "../../src/contract/reports/delete-code.ts";
import { deleteGroupRoute, renameRoute } from "../../src/contract/reports/named-reports.ts";
import { setVisibilityRoute } from "../../src/contract/reports/visibility.ts";
import type { Database } from "../../src/store/engine/schema.ts";
import type { Service } from "../support/service.ts";

const NOTHING = "nothing";

interface State {
  /** A report as text, or `NOTHING`. */
  text: string;
  /** When the change to this state was requested, and when it was confirmed. */
  begunAt: number;
  confirmedAt: number;
}

interface Report {
  name: string;
  visibility: string;
  /** The codes of its versions, oldest first. */
  codes: string[];
}

const textOf = ({ name, visibility, codes }: Report) => JSON.stringify([name, visibility, codes.at(-1), ...codes]);

/** Changes one report after another, without a pause, and records each state of it. */
export function startTrack(service: Service, token: string, track: number) {
  const client = service.client(token);
  const states: State[] = [{ text: NOTHING, begunAt: 0, confirmedAt: 0 }];
  const owned = new Set<string>();
  let report: Report | undefined;
  let changes = 0;
  let isStopped = false;

  async function change(): Promise<void> {
    const number = changes++;
    const begunAt = Date.now();
    report = await (report === undefined
      ? publish({ name: nameOf(number), visibility: "private", codes: [] })
      : vary(report));
    for (const code of report?.codes ?? []) owned.add(code);
    states.push({ text: report === undefined ? NOTHING : textOf(report), begunAt, confirmedAt: Date.now() });
  }

  const nameOf = (number: number) => `track-${track}-${number}`;

  async function publish({ name, visibility, codes }: Report): Promise<Report> {
    const size = 500 + (Bun.hash.crc32(`${name} ${codes.length}`) % 40_000);
    const files = [
      { path: "index.html", content: `<!doctype html><title>${name} ${codes.length}</title>` },
      { path: "data.txt", content: `${name} `.repeat(Math.ceil(size / name.length)) },
    ];
    const { code } = await client.call(uploadRoute, { body: { files, name } });
    return { name, visibility, codes: [...codes, code] };
  }

  async function vary(current: Report): Promise<Report | undefined> {
    const { name, codes } = current;
    const dice = Math.random();
    if (dice < 0.4) return publish(current);
    if (dice < 0.55) {
      const newName = nameOf(changes);
      await client.call(renameRoute, { body: { name, newName } });
      return { ...current, name: newName };
    }
    if (dice < 0.7) {
      const visibility = current.visibility === "public" ? "private" : "public";
      await client.call(setVisibilityRoute, { body: { name, visibility } });
      return { ...current, visibility };
    }
    if (dice < 0.85) {
      const code = codes[Math.floor(Math.random() * codes.length)] ?? "";
      await client.call(deleteCodeRoute, { body: { code } });
      return codes.length === 1 ? undefined : { ...current, codes: codes.filter((other) => other !== code) };
    }
    await client.call(deleteGroupRoute, { body: { name } });
    return undefined;
  }

  const ended = (async () => {
    while (!isStopped) await change();
  })();

  /** Returns the states that a backup may have: the last one confirmed before it began, and those begun before its end. */
  function statesWithin(from: number, until: number): string[] {
    const first = states.findLastIndex(({ confirmedAt }) => confirmedAt < from);
    return states.filter(({ begunAt }, index) => index >= first && begunAt <= until).map(({ text }) => text);
  }

  return {
    statesWithin,
    owns: (code: string) => owned.has(code),
    countChanges: () => changes,
    /** Resolves when the last change is confirmed. */
    stop() {
      isStopped = true;
      return ended;
    },
  };
}

export type Track = ReturnType<typeof startTrack>;

/** Returns the report of each track as a database has it. */
export async function readReports(rows: Database, tracks: readonly Track[]): Promise<string[]> {
  const versions = await rows
    .selectFrom("versions")
    .innerJoin("items", "items.id", "versions.item_id")
    .select(["versions.code", "items.id", "items.name", "items.visibility", "items.current_code"])
    .orderBy("versions.version_no")
    .execute();
  const reports = [...Map.groupBy(versions, ({ id }) => id).values()];
  return tracks.map(({ owns }) => {
    const own = reports.filter(([first]) => first !== undefined && owns(first.code));
    const texts = own.map((group) => {
      const [{ name, visibility, current_code } = { name: null, visibility: "", current_code: "" }] = group;
      return JSON.stringify([name, visibility, current_code, ...group.map(({ code }) => code)]);
    });
    return texts.length === 0 ? NOTHING : texts.join();
  });
}
