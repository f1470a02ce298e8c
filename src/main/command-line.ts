import { userInfo } from "node:os";
import type { Origin } from "../domain/model/audit.ts";

/** Returns the origin of an administrator's command. */
export const commandLine = (): Origin => ({
  actor: null,
  credential: { kind: "command line", id: null, name: systemUser() },
  requestId: null,
  address: null,
});

/** Returns the name of the system user; null in containers, where the user may have none. */
function systemUser(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
