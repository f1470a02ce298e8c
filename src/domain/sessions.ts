import { createHash } from "node:crypto";

/** How long a session lasts from its sign-in on, in seconds. */
export const SESSION_SECONDS = 30 * 24 * 60 * 60;

const REF_BYTES = 18;

/** Names a session where its id must not be seen, in tickets. */
export const sessionRef = (id: string): string =>
  createHash("sha256").update(id).digest().subarray(0, REF_BYTES).toString("base64url");
