import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { isJSONRPCRequest, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { Client } from "../client/client.ts";
import { createMcpServers } from "./server.ts";
import type { ReadLocalFile } from "./tools/publish.ts";

/** Bytes of one message: as much as an upload may have, and what escapes add to it. */
const LARGEST_MESSAGE = 40 * 1024 * 1024;
/** Milliseconds that calls under way have to end once nothing more can come. */
const PATIENCE = 60_000;

interface StdioParts {
  client: Client;
  baseUrl: string;
  version: string;
  readLocalFile: ReadLocalFile;
  note(line: string): void;
}

/** Serves on standard input and output until the input ends. */
export async function serveStdio({ client, baseUrl, version, readLocalFile, note }: StdioParts): Promise<void> {
  const onUnexpected = (error: unknown) => note(`vitrine: ${error instanceof Error ? error.stack : String(error)}`);
  const server = createMcpServers({ version, baseUrl, readLocalFile, onUnexpected }).create(client);
  server.onerror = (error) => note(`vitrine: a message was not understood: ${inOneLine(error.message)}`);
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: LARGEST_MESSAGE });
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    server.onclose = resolve;
  });
  await server.connect(transport);
  const calls = watchCalls(transport);
  await ended;
  await Promise.race([calls.ended(), Bun.sleep(PATIENCE)]);
  await server.close();
}

const inOneLine = (text: string) => text.replace(/\s+/g, " ").slice(0, 300);

/** Knows which requests have not been answered yet. */
function watchCalls(transport: Transport) {
  const open = new Set<string | number>();
  let whenNone = () => {};
  const settle = (id: string | number | undefined) => {
    if (id !== undefined) open.delete(id);
    if (open.size === 0) whenNone();
  };
  const receive = transport.onmessage;
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    if (isJSONRPCRequest(message)) open.add(message.id);
    receive?.(message, extra);
    settle(cancelledBy(message));
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    await send(message, options);
    if ("id" in message && !("method" in message)) settle(message.id);
  };
  return {
    ended: () =>
      new Promise<void>((resolve) => {
        whenNone = resolve;
        settle(undefined);
      }),
  };
}

/** What is cancelled gets no answer. */
function cancelledBy(message: JSONRPCMessage): string | number | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id: unknown = message.params?.requestId;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
