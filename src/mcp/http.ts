import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { createClient } from "../client/client.ts";
import { hasMoreValues } from "./json-weight.ts";
import { createMcpServers, type McpParts } from "./server.ts";

/** A request that has been let in, with its body read. */
interface Asked {
  request: Request;
  body: Uint8Array;
  token: string;
  /** Calls the API without going over the network. */
  callApi(url: string, init: RequestInit): Promise<Response>;
}

/** Far more than any tool takes. */
const MOST_VALUES = 10_000;

/** Answers single messages of the protocol (streamable HTTP, without sessions), each with the token it came with. */
export function createMcpAnswers(parts: McpParts): (asked: Asked) => Promise<Response> {
  const servers = createMcpServers(parts);
  return async ({ request, body, token, callApi }) => {
    if (hasMoreValues(body, MOST_VALUES)) return refuse(ErrorCode.InvalidRequest, "The message has too many values.");
    const message = parse(body);
    if (message === undefined) return refuse(ErrorCode.ParseError, "The body is not valid JSON.");
    // One of a batch could cancel another, which nobody would answer then.
    if (Array.isArray(message)) return refuse(ErrorCode.InvalidRequest, "Send each message in a request of its own.");
    const server = servers.create(createClient({ baseUrl: parts.baseUrl, token, fetch: callApi }));
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    try {
      await server.connect(transport);
      return await transport.handleRequest(request, { parsedBody: message });
    } finally {
      await server.close();
    }
  };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

const refuse = (code: ErrorCode, message: string) =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status: 400 });
