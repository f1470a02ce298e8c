import { Failure } from "../../domain/model/failure.ts";
import type { Clock } from "../../domain/model/ports.ts";

/** The minimum speed at which a body must arrive. */
export interface PaceRule {
  /** The length of each period after which the client's speed is checked, in milliseconds. */
  grace: number;
  /** The minimum average in each period. */
  bytesPerSecond: number;
  /** The maximum time for a whole body, in milliseconds. */
  deadline: number;
}

/** Half the speed of a 1 Mbit/s line. The largest upload meets the deadline at that speed. */
export const BODY_PACE: PaceRule = { grace: 10_000, bytesPerSecond: 64 * 1024, deadline: 6 * 60_000 };

export interface Pace {
  received(bytes: number): void;
  /** Stops the clock until `resume`, while the client waits for the server. */
  pause(): void;
  resume(): void;
  /** Sets the listener for a body that arrives too slowly, replacing the previous one. */
  onTooSlow(tell: (failure: Failure) => void): void;
  end(): void;
}

const tooSlow = () =>
  new Failure("TooSlow", "The request body arrived too slowly. Check your connection and try again.");

/** Watches the speed of one body. */
export function startPace({ grace, bytesPerSecond, deadline }: PaceRule, clock: Clock): Pace {
  const expected = (bytesPerSecond * grace) / 1000;
  let [bytes, active, total] = [0, 0, 0];
  let activeSince: number | undefined = clock.now();
  let failure: Failure | undefined;
  let tell: ((failure: Failure) => void) | undefined;
  let timer = setTimeout(judge, grace);

  function countTime(): void {
    if (activeSince === undefined) return;
    const now = clock.now();
    // The difference is negative if the clock was set back.
    active += Math.max(0, now - activeSince);
    activeSince = now;
  }

  function judge(): void {
    countTime();
    if (active < grace) {
      timer = setTimeout(judge, Math.max(1, grace - active));
      return;
    }
    // If this process was blocked, bytes that arrived in the meantime are read first.
    timer = setTimeout(() => {
      total += active;
      if (bytes < expected || total > deadline) fail();
      else {
        [bytes, active] = [0, 0];
        timer = setTimeout(judge, grace);
      }
    });
  }

  function fail(): void {
    failure = tooSlow();
    tell?.(failure);
  }

  return {
    received(more) {
      bytes += more;
    },
    pause() {
      countTime();
      activeSince = undefined;
    },
    resume() {
      activeSince = clock.now();
    },
    onTooSlow(listener) {
      tell = listener;
      if (failure !== undefined) listener(failure);
    },
    end: () => clearTimeout(timer),
  };
}

/** Settles as the promise does, or rejects earlier if the body arrives too slowly. */
export const paced = <Result>(promise: Promise<Result>, pace: Pace): Promise<Result> =>
  new Promise((resolve, reject) => {
    pace.onTooSlow(reject);
    promise.then(resolve, reject);
  });

/** Reads a body in pieces. Throws `TooSlow` and any error of the body; the rest then stays unread. */
export async function* pacedPieces(body: ReadableStream<Uint8Array>, pace: Pace): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await paced(reader.read(), pace);
      if (done) return;
      pace.received(value.length);
      pace.pause();
      yield value;
      pace.resume();
    }
  } finally {
    reader.releaseLock();
  }
}
