import type { Clock, Random } from "../domain/model/ports.ts";
import type { PasswordHasher } from "../domain/people/ports.ts";
import { createLog } from "../observability/create-log.ts";
import { createOrigins } from "../observability/origins.ts";

export const clock: Clock = { now: Date.now };
export const origins = createOrigins();
export const wait = (milliseconds: number): Promise<void> => Bun.sleep(milliseconds);
export const random: Random = { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) };
export const passwords: PasswordHasher = {
  hash: (password) => Bun.password.hash(password, "argon2id"),
  verify: (password, hash) => Bun.password.verify(password, hash).catch(() => false),
};
/** The log of commands. The server has its own, which follows its settings. */
export const log = createLog({ clock, write: (line) => process.stderr.write(line) });
