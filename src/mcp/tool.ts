import {
  type CallToolResult,
  type ContentBlock,
  type Tool,
  type ToolAnnotations,
  ToolSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Client } from "../client/client.ts";
import type { Fence } from "./fence.ts";
import { ToolError } from "./tool-error.ts";
import type { Turns } from "./turns.ts";

/** What a tool works with: the caller's own client, which may do what their token may, and no more. */
export interface ToolContext {
  client: Client;
  /** For work that takes the processor for long. */
  turns: Turns;
  /** For text that others wrote. */
  fence: Fence;
}

interface Answer<Data> {
  data: Data;
  /** The same for agents that read no structured data, and short. */
  text: string;
  /** How to go on, in a block of its own: never beside text that others wrote. */
  note?: string | undefined;
  /** Shown instead of the text. */
  content?: ContentBlock[];
}

interface ToolParts<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  title: string;
  /** By which an agent picks it. */
  description: string;
  annotations: Required<Omit<ToolAnnotations, "title">>;
  input: Input;
  output: Output;
  run(input: z.output<Input>, context: ToolContext): Promise<Answer<z.input<Output>>>;
}

export interface McpTool {
  readonly definition: Tool;
  /** Throws `ToolError`, or what the client throws. */
  call(args: unknown, context: ToolContext): Promise<CallToolResult>;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  parts: ToolParts<Input, Output>,
): McpTool {
  const { name, title, description, annotations, input, output, run } = parts;
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
  return `These arguments do not fit ${tool}: ${issues.join("; ")}. Its input schema says what it takes.`;
}

/** Looks and changes nothing. */
export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** Adds something each time. */
export const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
/** Changes what can be changed back; a second time changes nothing. */
export const ARRANGES = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** Takes away what cannot be had back. */
export const DESTROYS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };
