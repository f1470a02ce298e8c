import type { Connection } from "./connection.ts";
import { openWriter } from "./writing.ts";

/** Milliseconds between looks for changes that other processes have announced. */
const INTERVAL = 400;
/** SQLite keeps this number for applications, in 32 bits. A transaction changes it like data. */
const ANNOUNCEMENTS = "user_version";
const MOST = 2 ** 31 - 1;

/** Tells a server that is running on the database that this process has changed it. */
export async function announceChange(path: string): Promise<void> {
  const connection = await openWriter(path);
  try {
    connection.run("begin immediate");
    connection.run(`pragma ${ANNOUNCEMENTS} = ${(readAnnouncements(connection) + 1) % MOST}`);
    connection.run("commit");
  } finally {
    connection.close();
  }
}

/** Calls back soon after another process has announced a change. */
export function watchAnnouncements(connection: Connection, changed: () => void) {
  let last = readAnnouncements(connection);
  const timer = setInterval(() => {
    const now = readAnnouncements(connection);
    if (now === last) return;
    last = now;
    changed();
  }, INTERVAL);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

const readAnnouncements = (connection: Connection): number =>
  connection.query<Record<string, number>, []>(`pragma ${ANNOUNCEMENTS}`).get()?.[ANNOUNCEMENTS] ?? 0;
