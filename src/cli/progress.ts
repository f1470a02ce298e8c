import type { Output } from "./output.ts";
import { inUnits } from "./text.ts";

const WIDTH = 24;
const BLOCK = 64 * 1024;
/** Milliseconds between two lines of progress where there is no terminal. */
const LINE_INTERVAL = 2_000;

const LINE_START = "\r";
const ERASE_TO_END = "\u001b[K";
const ERASE_LINE = "\r\u001b[2K";

type ProgressOutput = Pick<Output, "isTerminal" | "draw" | "note">;

/** Shows progress as a bar on a terminal, and elsewhere as a line every two seconds. */
export function createProgress(output: ProgressOutput, now = () => performance.now()) {
  let drawn = "";
  let notedAt = now();

  /** Shows that `share` of the work is done, from 0 to 1. */
  function show(label: string, share: number, detail: string): void {
    if (output.isTerminal) draw(`${label} ${barOf(share)} ${detail}`);
    else if (now() - notedAt >= LINE_INTERVAL) {
      output.note(`${label}: ${percentOf(share)} %, ${detail}`);
      notedAt = now();
    }
  }

  function draw(text: string): void {
    if (text === drawn) return;
    output.draw(LINE_START + text + ERASE_TO_END);
    drawn = text;
  }

  /** Erases the bar. */
  function end(): void {
    if (drawn !== "") output.draw(ERASE_LINE);
    drawn = "";
  }

  /** Prints a line above the bar. */
  function note(line: string): void {
    end();
    output.note(line);
  }

  return { show, note, end };
}

/** Shows how many of `total` bytes have been transferred, on a terminal only. */
export function createTransferProgress(output: ProgressOutput, label: string, total: number) {
  const progress = createProgress(output);
  let transferred = 0;

  function show(bytes: number): void {
    transferred = bytes;
    if (output.isTerminal) progress.show(label, total === 0 ? 1 : bytes / total, `of ${inUnits(total)}`);
  }

  return { show, add: (bytes: number) => show(transferred + bytes), end: progress.end };
}

const percentOf = (share: number) => Math.min(100, Math.floor(share * 100));

function barOf(share: number): string {
  const percent = percentOf(share);
  const full = Math.round((percent / 100) * WIDTH);
  return `${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${String(percent).padStart(3)} %`;
}

/** Returns the bytes as a stream that reports how many of them have been read. */
export function countedStream(bytes: Uint8Array, onSent: (bytes: number) => void): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent >= bytes.length) return controller.close();
      const block = bytes.subarray(sent, sent + BLOCK);
      sent += block.length;
      controller.enqueue(block);
      onSent(sent);
    },
  });
}
