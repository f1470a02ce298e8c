import { afterEach, expect, test } from "bun:test";
import { connect } from "node:net";
import type { ServerWebSocket } from "bun";
import { listen } from "../../../src/hosts/http/listen.ts";
import { until } from "../../support/content.ts";
import { clock } from "../../support/service.ts";

const disposals: (() => unknown)[] = [];

afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

/** Starts a host that upgrades every request to a socket and counts the open ones. */
function listenForSockets() {
  const listener = listen<undefined>(["127.0.0.1", "::1"], 0, clock);
  const open = new Set<ServerWebSocket<undefined>>();
  listener.handle(
    (request, server) =>
      server.upgrade(request, { data: undefined }) ? undefined : new Response(null, { status: 400 }),
    {
      open: (socket) => void open.add(socket),
      close: (socket) => open.delete(socket),
    },
  );
  disposals.push(() => listener.stop(0));
  return { listener, open };
}

function readerAt(host: string, port: number) {
  const socket = new WebSocket(`ws://${host}:${port}/`);
  const heard: string[] = [];
  socket.onmessage = ({ data }) => heard.push(String(data));
  disposals.push(() => socket.close());
  return heard;
}

/** Opens a socket that never reads. */
function silentReaderAt(host: string, port: number) {
  const socket = connect(port, host);
  socket.on("error", () => undefined);
  socket.once("data", () => socket.pause());
  const lines = [
    "GET / HTTP/1.1",
    `Host: ${host}:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  disposals.push(() => socket.destroy());
}

test("a reader who does not read is dropped, and others miss nothing", async () => {
  const { listener, open } = listenForSockets();
  silentReaderAt("127.0.0.1", listener.port);
  const heard = readerAt("127.0.0.1", listener.port);
  await until(async () => open.size === 2 || undefined);
  const message = "x".repeat(32 * 1024);
  let published = 0;
  await until(async () => {
    for (const socket of open) socket.send(message);
    published++;
    return open.size === 1 || undefined;
  });
  await until(async () => heard.length === published || undefined);
  expect(heard.every((text) => text === message)).toBe(true);
});
