import type { FanOut } from "./fan-out.ts";
import { createPace } from "./pace.ts";

/** Milliseconds during which news are collected after some have been told. */
const WINDOW = 50;

/** Those who hear the same. */
export interface Room<Socket, News> {
  readonly sockets: Set<Socket>;
  /** Has everyone in the room told, together with what else there is to tell. */
  add(news: News): void;
}

interface Parts<Socket, News> {
  fanOut: FanOut<Socket>;
  /** Makes something that can be said of all the news at once, for all sockets. */
  phrase(news: ReadonlySet<News>): readonly string[];
  say(socket: Socket, texts: readonly string[]): void;
}

export function createRoom<Socket, News>({ fanOut, phrase, say }: Parts<Socket, News>): Room<Socket, News> {
  const sockets = new Set<Socket>();
  let untold = new Set<News>();
  let telling: ReadonlySet<News> = new Set();

  const tell = createPace(WINDOW, () => {
    // Some may not have heard the last news yet, and what is said now takes their place.
    telling = fanOut.isTelling(sockets) ? untold.union(telling) : untold;
    untold = new Set();
    const texts = phrase(telling);
    fanOut.tell(sockets, (socket) => say(socket, texts));
  });

  return {
    sockets,
    add(news) {
      untold.add(news);
      tell();
    },
  };
}
