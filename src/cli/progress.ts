import type { Output } from "./output.ts";

const WIDTH = 24;
const BLOCK = 64 * 1024;

/** Of what is not redrawn a line now and then is enough: so many milliseconds apart. */
const LINE_INTERVAL = 2_000;

/** How far a command is: a bar on a terminal, a line now and then elsewhere. `share` goes from 0 to 1. */
export function createProgress(output: Pick<Output, "isTerminal" | "draw" | "note">, now = () => performance.now()) {
  let drawn = "";
  let toldAt = now();

  function show(label: string, share: number, detail: string): void {
    if (output.isTerminal) draw(`${label} ${barOf(share)} ${detail}`);
    else if (now() - toldAt >= LINE_INTERVAL) tell(`${label}: ${percentOf(share)} %, ${detail}`);
  }

  function tell(sentence: string): void {
    output.note(sentence);
    toldAt = now();
  }

  function draw(text: string): void {
    if (text === drawn) return;
    output.draw(`${CLEAR}${text}`);
    drawn = text;
  }

  function end(): void {
    if (drawn !== "") output.draw(CLEAR);
    drawn = "";
  }

  /** A sentence above the bar. */
  function note(sentence: string): void {
    end();
    output.note(sentence);
  }

  return { show, note, end };
}

const CLEAR = "\r\u001b[2K";
const percentOf = (share: number) => Math.min(100, Math.floor(share * 100));

function barOf(share: number): string {
  const percent = percentOf(share);
  const full = Math.round((percent / 100) * WIDTH);
  return `${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${String(percent).padStart(3)} %`;
}

/** Draws how much of `total` bytes has gone, on one line of the terminal. */
export function createProgressBar(label: string, total: number, write: (text: string) => void) {
  let shown = -1;
  let added = 0;
  const bar = {
    show(bytes: number): void {
      const percent = total === 0 ? 100 : Math.min(100, Math.floor((bytes / total) * 100));
      if (percent === shown) return;
      shown = percent;
      write(`\r${label} ${barOf(percent / 100)} of ${inUnits(total)}`);
    },
    /** For several files at once, each of which knows only of itself. */
    add(bytes: number): void {
      added += bytes;
      bar.show(added);
    },
    clear: () => write(CLEAR),
  };
  return bar;
}

/** A size as people read it, such as `1.4 MB`. */
export function inUnits(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(0)} KB`;
  if (bytes < 1024 ** 3) return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`;
}

/** The bytes as a stream that tells how many have been taken. */
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
