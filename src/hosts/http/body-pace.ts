import { Failure } from "../../domain/model/failure.ts";
import type { Clock } from "../../domain/model/ports.ts";

/** How fast a body has to come. */
export interface PaceRule {
  /** Milliseconds after which a sender's speed is judged for the first time, and then again and again. */
  grace: number;
  /** Averaged over each such time. */
  bytesPerSecond: number;
  /** Milliseconds that a whole body may take. */
  deadline: number;
}

/** Half of what a line of 1 Mbit/s carries. The largest upload comes within the deadline at that speed. */
export const BODY_PACE: PaceRule = { grace: 10_000, bytesPerSecond: 64 * 1024, deadline: 6 * 60_000 };

export interface Pace {
  received(bytes: number): void;
  /** From here until `resume` the sender waits for us, which isn't held against it. */
  pause(): void;
  resume(): void;
  /** Sets the listener for a body that comes too slowly, replacing the one before. */
  onTooSlow(tell: (failure: Failure) => void): void;
  end(): void;
}

const tooSlow = () =>
  new Failure("TooSlow", "The request body arrived too slowly. Check the connection and send the request again.");

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
    // A clock that is set back takes no time away.
    active += Math.max(0, now - activeSince);
    activeSince = now;
  }

  function judge(): void {
    countTime();
    if (active < grace) {
      timer = setTimeout(judge, Math.max(1, grace - active));
      return;
    }
    // If this process was held up, what has come meanwhile is still to be read.
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

/** Resolves or rejects as the promise does, and rejects before when the body comes too slowly. */
export const paced = <Result>(promise: Promise<Result>, pace: Pace): Promise<Result> =>
  new Promise((resolve, reject) => {
    pace.onTooSlow(reject);
    promise.then(resolve, reject);
  });

/** Reads a body piece by piece. Throws `TooSlow`, and whatever the body throws; what is left of it then stays unread. */
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
