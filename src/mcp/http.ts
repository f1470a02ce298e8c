import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { createClient } from "../client/client.ts";
import { createMcpServers, type McpParts } from "./server.ts";

/** A request that has been let in, with its body read. */
interface Asked {
  request: Request;
  body: Uint8Array;
  token: string;
  /** Calls the API without going over the network. */
  callApi(url: string, init: RequestInit): Promise<Response>;
}

interface Parts extends McpParts {
  /** Parses a body. Throws an error whose message says what is wrong with it. */
  parseJson(body: Uint8Array): unknown;
}

/** Answers single messages of the protocol (streamable HTTP, without sessions), each with the token it came with. */
export function createMcpAnswers(parts: Parts): (asked: Asked) => Promise<Response> {
  const servers = createMcpServers(parts);
  return async ({ request, body, token, callApi }) => {
    let message: unknown;
    try {
      message = parts.parseJson(body);
    } catch (error) {
      return refuse(ErrorCode.ParseError, error instanceof Error ? error.message : String(error));
    }
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

const refuse = (code: ErrorCode, message: string) =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status: 400 });
