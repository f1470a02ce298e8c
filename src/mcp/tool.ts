import {
  type CallToolResult,
  type ContentBlock,
  type Tool,
  type ToolAnnotations,
  ToolSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Client } from "../client/client.ts";
import { ADVERTISED_OUTPUT, advertiseHints, advertiseInput } from "./advertised.ts";
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
  now(): number;
}

interface ToolResult<Data> {
  /** Undefined if the text is the whole result. */
  data: Data;
  /** A short version for agents that do not read structured data. */
  text: string;
  /** How to continue. A separate block, so that text of reports can't imitate it. */
  note?: string | undefined;
  /** Shown instead of the text. */
  content?: ContentBlock[];
}

/** Results that are text alone, so that what a report contains is sent once. */
export const TEXT_ONLY = z.undefined();

interface ToolDefinition<Input extends z.ZodType, Output extends z.ZodObject | typeof TEXT_ONLY> {
  name: string;
  title: string;
  /** Helps an agent to choose the tool. */
  description: string;
  annotations: Required<Omit<ToolAnnotations, "title">>;
  input: Input;
  output: Output;
  /** Names that arguments had before, and that results still use, by the names they have now. Not advertised. */
  aliases?: Readonly<Record<string, string>>;
  run(input: z.output<Input>, context: ToolContext): Promise<ToolResult<z.input<Output>>>;
}

export interface McpTool {
  readonly definition: Tool;
  /** Runs the tool. Throws `ToolError`, or what the client throws. */
  call(args: unknown, context: ToolContext): Promise<CallToolResult>;
}

/** Returns a tool with JSON Schemas of its input and output. */
export function defineTool<Input extends z.ZodType, Output extends z.ZodObject | typeof TEXT_ONLY>(
  tool: ToolDefinition<Input, Output>,
): McpTool {
  const { name, title, description, annotations, input, output, aliases = {}, run } = tool;
  return {
    definition: {
      name,
      title,
      description,
      annotations: advertiseHints(annotations),
      inputSchema: ToolSchema.shape.inputSchema.parse(advertiseInput(input)),
      ...(output instanceof z.ZodObject ? { outputSchema: ADVERTISED_OUTPUT } : {}),
    },
    async call(args, context) {
      const parsed = input.safeParse(renameArguments(args ?? {}, aliases));
      if (!parsed.success) throw new ToolError(describeIssues(name, parsed.error));
      const { data, text, note, content = [{ type: "text", text }] } = await run(parsed.data, context);
      return {
        content: note === undefined ? content : [...content, { type: "text", text: note }],
        ...(data === undefined
          ? {}
          : { structuredContent: z.record(z.string(), z.unknown()).parse(output.parse(data)) }),
      };
    },
  };
}

/** Returns the arguments with their present names. Throws `ToolError` if two of them are the same argument. */
function renameArguments(args: unknown, aliases: Readonly<Record<string, string>>): unknown {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return args;
  const renamed = new Map<string, unknown>();
  for (const [key, value] of Object.entries(args)) {
    const present = Object.hasOwn(aliases, key) ? (aliases[key] ?? key) : key;
    if (renamed.has(present)) throw new ToolError(`Pass exactly one ${present}: ${key} is another way to pass it.`);
    renamed.set(present, value);
  }
  return Object.fromEntries(renamed);
}

const ISSUES_SHOWN = 3;

function describeIssues(tool: string, error: z.ZodError): string {
  const issues = error.issues.slice(0, ISSUES_SHOWN).map((issue) => {
    const field = issue.path.map(String).join(".");
    if (issue.code === "invalid_type" && issue.message.endsWith("received undefined")) return `${field} is required`;
    return field === "" ? issue.message : `${field}: ${issue.message}`;
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
