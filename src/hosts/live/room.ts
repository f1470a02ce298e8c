import type { FanOut } from "./fan-out.ts";
import { createPace } from "./pace.ts";

/** How long news is collected after a broadcast, in milliseconds. */
const WINDOW = 50;

/** Sockets that receive the same messages. */
export interface Room<Socket, News> {
  readonly sockets: Set<Socket>;
  /** Sends news to all sockets in the room, together with other pending news. */
  add(news: News): void;
}

interface RoomDependencies<Socket, News> {
  fanOut: FanOut<Socket>;
  /** Returns the messages for all pending news. */
  phrase(news: ReadonlySet<News>): readonly string[];
  say(socket: Socket, texts: readonly string[]): void;
}

/** Creates a room. It sends pending news at most once per window. */
export function createRoom<Socket, News>({ fanOut, phrase, say }: RoomDependencies<Socket, News>): Room<Socket, News> {
  const sockets = new Set<Socket>();
  let untold = new Set<News>();
  let telling: ReadonlySet<News> = new Set();

  const tell = createPace(WINDOW, () => {
    // This broadcast replaces an unfinished one, so it includes that one's news.
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
