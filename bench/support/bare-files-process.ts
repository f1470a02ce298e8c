import { keep, stop } from "./processes.ts";

const BARE_FILES = new URL("./bare-files.ts", import.meta.url).pathname;

export interface BareFile {
  /** The path of the URL. */
  path: string;
  /** Where the bytes are. */
  file: string;
  headers: readonly (readonly [name: string, value: string])[];
}

/** Starts the smallest server on the same runtime that answers with these files. */
export async function startBareFiles(files: readonly BareFile[]) {
  const child = keep(
    Bun.spawn([process.execPath, "--no-env-file", "--no-install", "--config=/dev/null", BARE_FILES], {
      env: { PATH: process.env.PATH, FILES: JSON.stringify(files) },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    }),
  );
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value));
  return { pid: child.pid, url: `http://127.0.0.1:${port}`, stop: () => stop(child) };
}
