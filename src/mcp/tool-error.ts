/** One sentence for the agent: what is wrong, and what to do about it. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}
