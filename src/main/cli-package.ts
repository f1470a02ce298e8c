import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { embeddedPath } from "../hosts/http/embedded.ts";

/** The npm package of the command line in the executable. */
export const CLI_PACKAGE = "npm/vitrine.tgz";
const BUILDER = new URL("../../scripts/cli-package.ts", import.meta.url);

/** Returns a function that reads the npm package of the command line, which is built first if the program runs from source. */
export function createCliPackage(): () => Promise<Blob> {
  let reading: Promise<Blob> | undefined;
  return () => {
    reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
}

async function read(): Promise<Blob> {
  const embedded = embeddedPath(CLI_PACKAGE);
  return embedded === undefined ? buildApart() : Bun.file(embedded);
}

/** Builds in a separate process, so that requests don't wait. */
async function buildApart(): Promise<Blob> {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-npm-"));
  try {
    const builder = Bun.spawn(
      [process.execPath, "--no-env-file", "--no-install", "--config=/dev/null", fileURLToPath(BUILDER), directory],
      { stdin: "ignore", stdout: "pipe", stderr: "inherit" },
    );
    const name = (await builder.stdout.text()).trim();
    if ((await builder.exited) !== 0) throw new Error("The npm package couldn't be built.");
    return new Blob([await Bun.file(join(directory, name)).arrayBuffer()]);
  } finally {
    await rm(directory, { recursive: true });
  }
}
