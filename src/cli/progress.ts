const WIDTH = 24;
const BLOCK = 64 * 1024;

/** Draws how much of `total` bytes has gone, on one line of the terminal. */
export function createProgressBar(label: string, total: number, write: (text: string) => void) {
  let shown = -1;
  let added = 0;
  const bar = {
    show(bytes: number): void {
      const percent = total === 0 ? 100 : Math.min(100, Math.floor((bytes / total) * 100));
      if (percent === shown) return;
      shown = percent;
      const full = Math.round((percent / 100) * WIDTH);
      write(
        `\r${label} ${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${String(percent).padStart(3)} % of ${inUnits(total)}`,
      );
    },
    /** For several files at once, each of which knows only of itself. */
    add(bytes: number): void {
      added += bytes;
      bar.show(added);
    },
    clear: () => write("\r\u001b[2K"),
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
