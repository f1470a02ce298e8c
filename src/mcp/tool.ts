import {
  type CallToolResult,
  type ContentBlock,
  type Tool,
  type ToolAnnotations,
  ToolSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Client } from "../client/client.ts";
import type { DiffTexts } from "./diff-thread.ts";
import type { Fence } from "./fence.ts";
import { ToolError } from "./tool-error.ts";
import type { Turns } from "./turns.ts";

/** What tools work with. The client has the rights of the caller's token. */
export interface ToolContext {
  client: Client;
  /** Limits work that needs much memory or processor time. */
  turns: Turns;
  /** Marks text of reports. */
  fence: Fence;
  diffTexts: DiffTexts;
}

interface ToolResult<Data> {
  data: Data;
  /** A short version for agents that do not read structured data. */
  text: string;
  /** How to continue. A separate block, so that text of reports can't imitate it. */
  note?: string | undefined;
  /** Shown instead of the text. */
  content?: ContentBlock[];
}

interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  title: string;
  /** Helps an agent to choose the tool. */
  description: string;
  annotations: Required<Omit<ToolAnnotations, "title">>;
  input: Input;
  output: Output;
  run(input: z.output<Input>, context: ToolContext): Promise<ToolResult<z.input<Output>>>;
}

export interface McpTool {
  readonly definition: Tool;
  /** Runs the tool. Throws `ToolError`, or what the client throws. */
  call(args: unknown, context: ToolContext): Promise<CallToolResult>;
}

/** Returns a tool with JSON Schemas of its input and output. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ToolDefinition<Input, Output>,
): McpTool {
  const { name, title, description, annotations, input, output, run } = tool;
  return {
    definition: {
      name,
      title,
      description,
      annotations: { title, ...annotations },
      inputSchema: ToolSchema.shape.inputSchema.parse(z.toJSONSchema(input, { io: "input", target: "draft-7" })),
      outputSchema: ToolSchema.shape.outputSchema.parse(z.toJSONSchema(output, { io: "output", target: "draft-7" })),
    },
    async call(args, context) {
      const parsed = input.safeParse(args ?? {});
      if (!parsed.success) throw new ToolError(describeIssues(name, parsed.error));
      const { data, text, note, content = [{ type: "text", text }] } = await run(parsed.data, context);
      return {
        content: note === undefined ? content : [...content, { type: "text", text: note }],
        structuredContent: output.parse(data),
      };
    },
  };
}

const ISSUES_SHOWN = 3;

function describeIssues(tool: string, error: z.ZodError): string {
  const issues = error.issues.slice(0, ISSUES_SHOWN).map(({ path, message }) => {
    const field = path.map(String).join(".");
    return field === "" ? message : `${field}: ${message}`;
  });
  return `Invalid arguments for ${tool}: ${issues.join("; ")}. See its input schema.`;
}

/** For tools that only read. */
export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** For tools that add something with each call. */
export const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
/** For tools whose changes can be undone, and that change nothing when repeated. */
export const ARRANGES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** For tools that delete something. */
export const DESTROYS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };
