import { watch } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { CommandError, type Output } from "./output.ts";
import type { SourceFile } from "./report-files.ts";

/** Milliseconds without a change after which a report counts as completely written. */
const QUIET_TIME = 250;

interface Republishing {
  read(): Promise<SourceFile[]>;
  publish(files: readonly SourceFile[]): Promise<void>;
}

/** Publishes again after each change until the process ends. Prints failures and continues. */
export async function republishOnChange(
  [path = ""]: readonly string[],
  output: Output,
  published: readonly SourceFile[],
  { read, publish }: Republishing,
): Promise<void> {
  let last = digest(published);
  let work = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function publishChanged(): Promise<void> {
    try {
      const files = await read();
      const now = digest(files);
      if (now === last) return;
      await publish(files);
      last = now;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      output.note(`vitrine: ${error.message}`);
    }
  }

  const { promise, reject } = Promise.withResolvers<never>();

  function publishSoon(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      work = work.then(publishChanged);
      work.catch(reject);
    }, QUIET_TIME);
  }

  await watchPath(path, publishSoon);
  // Files may have changed between reading them and watching.
  publishSoon();
  await promise;
}

/** Watches a directory, or the directory of a file, because editors replace files. */
async function watchPath(path: string, onChange: () => void): Promise<void> {
  if ((await stat(path)).isDirectory()) watch(path, { recursive: true }, onChange);
  else watch(dirname(path), (_, name) => (name === null || name === basename(path) ? onChange() : undefined));
}

function digest(files: readonly SourceFile[]): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const { name, bytes } of files) hasher.update(`${name}\0${bytes.length}\0`).update(bytes);
  return hasher.digest("hex");
}
