/** Something outside cannot be reached or used just now, and may be later; the message names the setting that leads to it. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}
