import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { createClient } from "../client/client.ts";
import { createMcpServers, type McpDependencies } from "./server.ts";

/** An authorized request with its body. */
interface McpRequest {
  request: Request;
  body: Uint8Array;
  token: string;
  /** Calls the API within this process, without the network. */
  callApi(url: string, init: RequestInit): Promise<Response>;
}

interface HttpDependencies extends McpDependencies {
  /** Parses a body. Throws an error whose message names the problem. */
  parseJson(body: Uint8Array): unknown;
}

/** Returns a handler for single messages (streamable HTTP without sessions). It acts with the token of each request. */
export function createMcpAnswers(dependencies: HttpDependencies): (request: McpRequest) => Promise<Response> {
  const { baseUrl, parseJson } = dependencies;
  const servers = createMcpServers(dependencies);
  return async ({ request, body, token, callApi }) => {
    let message: unknown;
    try {
      message = parseJson(body);
    } catch (error) {
      return refuse(ErrorCode.ParseError, error instanceof Error ? error.message : String(error));
    }
    // One message of a batch could cancel another, which would then never get an answer.
    if (Array.isArray(message))
      return refuse(ErrorCode.InvalidRequest, "Batches aren't supported. Send one message per request.");
    const server = servers.create(createClient({ baseUrl, token, fetch: callApi }));
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
