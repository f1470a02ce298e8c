import type { Clock, Random } from "../domain/model/ports.ts";
import type { PasswordHasher } from "../domain/people/ports.ts";
import type { Log } from "../hosts/http/failures.ts";

export const clock: Clock = { now: Date.now };
export const wait = (milliseconds: number): Promise<void> => Bun.sleep(milliseconds);
export const random: Random = { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) };
export const passwords: PasswordHasher = {
  hash: (password) => Bun.password.hash(password, "argon2id"),
  verify: (password, hash) => Bun.password.verify(password, hash).catch(() => false),
};
export const log: Log = {
  error({ message, requestId, error }) {
    const detail = error instanceof Error ? error.stack : String(error);
    process.stderr.write(
      `${JSON.stringify({ time: new Date().toISOString(), level: "error", message, requestId, detail })}\n`,
    );
  },
};
