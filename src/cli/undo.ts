import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import {
  type Connection,
  connect,
  printResult,
  type ServerOptions,
  withExamples,
  withServerOptions,
} from "./options.ts";
import { CommandError } from "./output.ts";
import type { Session } from "./session.ts";

/** The calls that take back a change of many reports. Each checks what was kept in the file. */
const CALLS = {
  async file(session: Session, body: unknown) {
    const { fileItemsRoute } = await loadRoutes.items();
    await session.call(fileItemsRoute, { body: fileItemsRoute.body.parse(body) }, { isRepeatable: true });
  },
  async tag(session: Session, body: unknown) {
    const { tagItemsRoute } = await loadRoutes.items();
    await session.call(tagItemsRoute, { body: tagItemsRoute.body.parse(body) }, { isRepeatable: true });
  },
  async share(session: Session, body: unknown) {
    const { shareItemsRoute } = await loadRoutes.itemSharing();
    await session.call(shareItemsRoute, { body: shareItemsRoute.body.parse(body) }, { isRepeatable: true });
  },
  async restore(session: Session, body: unknown) {
    const { restoreItemsRoute } = await loadRoutes.items();
    await session.call(restoreItemsRoute, { body: restoreItemsRoute.body.parse(body) });
  },
};

/** The last change of many reports on this computer, and the requests that take it back. */
interface Undo {
  call: keyof typeof CALLS;
  bodies: readonly unknown[];
  /** What was done, such as `Moved 3 reports`. */
  what: string;
}

const fileOf = ({ credentialsFile }: CliContext) => join(dirname(credentialsFile), "undo.json");

/** Keeps what takes back a change for `vitrine undo`. Returns a sentence that says so; an empty text if that isn't possible. */
export async function keepUndo({ context, session }: Connection, undo: Undo): Promise<string> {
  if (undo.bodies.length === 0) return "";
  const file = fileOf(context);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, JSON.stringify({ url: session.baseUrl, ...undo }), { mode: 0o600 });
    return " To undo it, run: vitrine undo";
  } catch {
    return "";
  }
}

/** Forgets the change that `vitrine undo` would take back, because a later one has its own way back. */
export const forgetUndo = (context: CliContext): Promise<void> => rm(fileOf(context), { force: true });

export function undoCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("undo").description(
      "Undo the last delete, share, file or tag of this computer that changed several reports at once.",
    ),
  );
  command.action((options: ServerOptions) => undo(options, context));
  return withExamples(command, "vitrine tag weekly-sales monthly-sales --add Sales", "vitrine undo");
}

async function undo(options: ServerOptions, context: CliContext): Promise<void> {
  const { session, output } = await connect(context, options);
  const { call, bodies, what } = await readUndo(context, session);
  for (const body of bodies) await CALLS[call](session, body);
  await forgetUndo(context);
  printResult(output, options, { ok: true, undone: what }, `Undone: ${what}.`);
}

async function readUndo(context: CliContext, { baseUrl }: Session): Promise<Undo> {
  const text = await readFile(fileOf(context), "utf8").catch(() => undefined);
  const kept: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!isUndo(kept)) throw new CommandError("There is nothing to undo.");
  if (kept.url !== baseUrl) {
    throw new CommandError(`The last change was made at ${kept.url}. Pass --url ${kept.url} to undo it.`);
  }
  return kept;
}

const isUndo = (kept: unknown): kept is Undo & { url: string } =>
  typeof kept === "object" && kept !== null && "call" in kept && String(kept.call) in CALLS && "bodies" in kept;
