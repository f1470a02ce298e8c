/** A failure whose message tells the agent what went wrong and what to do. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}
