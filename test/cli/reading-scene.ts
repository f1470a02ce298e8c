import { z } from "zod";
import { vitrineOnTerminal } from "../support/cli.ts";
import { noise } from "../support/content.ts";
import { openDesk } from "./support.ts";

const MEBIBYTE = 1024 * 1024;
/** The files of the two versions of the report "sales". */
export const first = { "index.html": "<title>First</title>\n<p>one\n", "data.bin": noise(3 * MEBIBYTE) };
export const second = { "index.html": "<title>Second</title>\n<p>one\n", "data.bin": noise(100) };

/** Starts a server with a report of two versions and an unnamed one, whose title has control characters. */
export async function openReadingDesk() {
  const desk = await openDesk();
  const publish = async (files: Record<string, string | Uint8Array>, more: string) => {
    const ended = await desk.run(`publish ${await desk.write(files)} --json ${more}`);
    return z.object({ code: z.string() }).parse(JSON.parse(ended.stdout)).code;
  };
  const codes = [
    await publish(first, "--name sales --folder Sales/2026 --tag Weekly --public"),
    await publish(second, "--name sales"),
    await publish({ "index.html": "<title>Alone\u001b]0;evil\u0007</title>" }, "--tag Region/North"),
  ];

  const onTerminal = (words: readonly string[], environment: Record<string, string> = {}) =>
    vitrineOnTerminal(words, {
      environment: { ...desk.environment, ...environment },
      directory: desk.directory,
    });

  return { ...desk, codes, onTerminal };
}
