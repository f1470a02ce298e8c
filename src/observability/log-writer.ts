import type { LogLevel } from "./log.ts";

interface LineStream {
  /** Returns false if the reader doesn't keep up; then `drain` follows. */
  write(text: string): boolean;
  once(event: "drain", listener: () => void): unknown;
}

interface LogWriterOptions {
  stream: LineStream;
  /** Runs work at the end of this turn of the event loop. */
  later(work: () => void): void;
  /** Called with how many lines were dropped, once the reader keeps up again. */
  dropped(lines: number): void;
}

/**
 * Writes lines to a stream. Lines of one turn are written at once, because each write takes longer than building a line.
 * While the reader doesn't keep up, it drops lines below `warn`, which would fill the memory.
 */
export function createLogWriter({ stream, later, dropped }: LogWriterOptions) {
  let pending = "";
  let isBlocked = false;
  let lost = 0;

  function write(text: string, level: LogLevel): void {
    const isUrgent = level === "warn" || level === "error";
    if (isBlocked && !isUrgent) {
      lost++;
      return;
    }
    if (pending === "" && !isUrgent) later(flush);
    pending += text;
    // An error may be the last line of this process.
    if (isUrgent) flush();
  }

  function flush(): void {
    if (pending === "") return;
    const text = pending;
    pending = "";
    if (stream.write(text) || isBlocked) return;
    isBlocked = true;
    stream.once("drain", resume);
  }

  function resume(): void {
    isBlocked = false;
    const lines = lost;
    lost = 0;
    if (lines > 0) dropped(lines);
  }

  return { write, flush };
}
