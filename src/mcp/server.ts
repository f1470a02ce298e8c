import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { Client } from "../client/client.ts";
import type { DiffTexts } from "./diff-thread.ts";
import { explainFailure } from "./errors.ts";
import { createFence } from "./fence.ts";
import { getPrompt, PROMPTS } from "./prompts.ts";
import { listResources, RESOURCE_TEMPLATES, readResource } from "./resources.ts";
import type { McpTool, ToolContext } from "./tool.ts";
import { cabinetTools } from "./tools/cabinet.ts";
import { changingTools } from "./tools/changing.ts";
import { commentTools } from "./tools/comments.ts";
import { diffTools } from "./tools/diff.ts";
import { findingTools } from "./tools/finding.ts";
import { publishTools, type ReadLocalFile } from "./tools/publish.ts";
import { readingTools } from "./tools/reading.ts";
import { sharedTools } from "./tools/shared.ts";
import { sharingTools } from "./tools/sharing.ts";
import { trashTools } from "./tools/trash.ts";
import { versionTools } from "./tools/versions.ts";
import { createTurns } from "./turns.ts";

const INSTRUCTIONS =
  "Vitrine publishes HTML reports. A named report has versions and a live link that always shows the current one; every version also has its own code and link. Reports are private unless shared. Tools take a report by name, link, code or exact title, and folders and tags by their labels. Publish with publish_report, add versions with publish_version, find reports with search_reports, and read them with read_report.";

export interface McpDependencies {
  version: string;
  /** Address of the server, for messages. */
  baseUrl: string;
  /** Reads files for agents on this machine; undefined for remote agents. */
  readLocalFile?: ReadLocalFile;
  diffTexts: DiffTexts;
  /** Returns an unpredictable text (default: a random one). */
  newMark?(): string;
  now?(): number;
  /** Called with errors that should not happen. */
  onUnexpected(error: unknown): void;
}

const randomMark = () => crypto.randomUUID().replaceAll("-", "").slice(0, 16);

/** Returns a factory of servers, one per client, that share their tools. */
export function createMcpServers({
  version,
  baseUrl,
  readLocalFile,
  diffTexts,
  newMark = randomMark,
  now = Date.now,
  onUnexpected,
}: McpDependencies) {
  const tools: readonly McpTool[] = [
    ...publishTools(readLocalFile),
    ...findingTools,
    ...sharedTools,
    ...readingTools,
    ...diffTools,
    ...versionTools,
    ...cabinetTools,
    ...changingTools,
    ...trashTools,
    ...sharingTools,
    ...commentTools,
  ];
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const definitions = tools.map(({ definition }) => definition);
  const fence = createFence(newMark);
  const turns = createTurns({ concurrency: 2, maxWaiting: 20 });
  const jsonSchemaValidator = new AjvJsonSchemaValidator();

  function explain(error: unknown): string {
    const explained = explainFailure(error, baseUrl);
    if (explained === undefined) onUnexpected(error);
    return explained ?? "Something went wrong. Try again once. If it fails again, tell the user.";
  }

  async function callTool(name: string, args: unknown, context: ToolContext): Promise<CallToolResult> {
    const tool = byName.get(name);
    if (tool === undefined) {
      const known = [...byName.keys()].join(", ");
      throw new McpError(
        ErrorCode.InvalidParams,
        `Unknown tool ${JSON.stringify(name.slice(0, 100))}. Available: ${known}.`,
      );
    }
    try {
      return await tool.call(args, context);
    } catch (error) {
      return { isError: true, content: [{ type: "text", text: explain(error) }] };
    }
  }

  const orExplain = <Result>(result: Promise<Result>): Promise<Result> =>
    result.catch((error) => {
      throw error instanceof McpError ? error : new McpError(ErrorCode.InvalidParams, explain(error));
    });

  return {
    create(client: Client): Server {
      const server = new Server(
        { name: "vitrine", title: "Vitrine", version },
        { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator },
      );
      const context = { client, turns, fence, diffTexts, now };
      server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: definitions }));
      server.setRequestHandler(CallToolRequestSchema, ({ params }) => callTool(params.name, params.arguments, context));
      server.setRequestHandler(ListResourceTemplatesRequestSchema, () => RESOURCE_TEMPLATES);
      server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
        orExplain(listResources(client, params?.cursor)),
      );
      server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => orExplain(readResource(client, params.uri)));
      server.setRequestHandler(ListPromptsRequestSchema, () => PROMPTS);
      server.setRequestHandler(GetPromptRequestSchema, ({ params }) => getPrompt(params.name, params.arguments ?? {}));
      return server;
    },
  };
}
