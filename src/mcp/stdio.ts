import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { isJSONRPCRequest, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { Client } from "../client/client.ts";
import type { DiffTexts } from "./diff-thread.ts";
import { createMcpServers } from "./server.ts";
import type { ReadLocalFile } from "./tools/publish.ts";

/** Bytes of one message: the limit of an upload, and room for escapes. */
const MAX_MESSAGE_BYTES = 40 * 1024 * 1024;
/** Milliseconds that open calls may take after the input has ended. */
const GRACE_TIME = 60_000;

interface StdioDependencies {
  client: Client;
  baseUrl: string;
  version: string;
  readLocalFile: ReadLocalFile;
  diffTexts: DiffTexts;
  note(line: string): void;
}

/** Serves an agent on standard input and output until the input ends. */
export async function serveStdio({
  client,
  baseUrl,
  version,
  readLocalFile,
  diffTexts,
  note,
}: StdioDependencies): Promise<void> {
  const onUnexpected = (error: unknown) => note(`vitrine: ${error instanceof Error ? error.stack : String(error)}`);
  const server = createMcpServers({ version, baseUrl, readLocalFile, diffTexts, onUnexpected }).create(client);
  server.onerror = (error) => note(`vitrine: Invalid message: ${inOneLine(error.message)}`);
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    server.onclose = resolve;
  });
  await server.connect(transport);
  const calls = watchCalls(transport);
  await ended;
  await Promise.race([calls.ended(), Bun.sleep(GRACE_TIME)]);
  await server.close();
}

const inOneLine = (text: string) => text.replace(/\s+/g, " ").slice(0, 300);

/** Tracks requests that have no answer yet. */
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

/** Returns the id of the request that a message cancels. It gets no answer. */
function cancelledBy(message: JSONRPCMessage): string | number | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id: unknown = message.params?.requestId;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
