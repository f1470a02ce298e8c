import { stat, writeFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { loadRoutes } from "../client/lazy-routes.ts";
import { reasonOf } from "./failures.ts";
import type { Connection } from "./options.ts";
import { CommandError } from "./output.ts";
import { counted } from "./text.ts";
import { fetchThreads } from "./threads.ts";

/**
 * Prepares the file for the comments on a report, beside its directory, so that the directory can be published as it is. Throws
 * `CommandError` if the file exists, unless forced.
 */
export async function openComments(directory: string, { force = false }: { force?: boolean }) {
  const path = relative(process.cwd(), `${resolve(directory)}.comments.json`);
  if (!force && (await stat(path).catch(() => undefined)) !== undefined) {
    throw new CommandError(`"${path}" already exists. Use -o for another directory, or --force to overwrite files.`);
  }

  /** Saves all threads as JSON, with their places in the version. */
  async function save(code: string, { session, output }: Connection): Promise<void> {
    const { reportRoute } = await loadRoutes.details();
    const { version_no: version } = await session.call(reportRoute, { query: { code } });
    const { threads } = await fetchThreads(session, { code }, { state: "all", version });
    await writeFile(path, `${JSON.stringify({ code, version_no: version, threads }, undefined, 2)}\n`).catch(
      (error) => {
        throw new CommandError(`Can't write "${path}": ${reasonOf(error)}.`);
      },
    );
    output.note(`Saved ${counted(threads.length, "comment thread")} to ${path}`);
  }

  return { save };
}
