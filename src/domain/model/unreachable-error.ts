/** Indicates that an external service can't be used now. The message names the setting that configures it. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}
