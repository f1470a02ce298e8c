import { createServer } from "node:http";
import { WebSocketServer } from "ws";

/**
 * The peer on Node with the package `ws`, written as its guide recommends: it greets each connection and sends what is
 * posted to all of them in a loop, in messages of the same size. Run it with node --expose-gc.
 */
const message = process.env.BENCH_MESSAGE ?? "";
let held = { longest: 0, busiest: 0 };
let last = performance.now();
let lastCpu = process.cpuUsage();

function turn() {
  const now = performance.now();
  const { user, system } = process.cpuUsage(lastCpu);
  held = { longest: Math.max(held.longest, now - last), busiest: Math.max(held.busiest, (user + system) / 1000) };
  last = now;
  lastCpu = process.cpuUsage();
}
setInterval(turn, 1).unref();

function takeHeld() {
  turn();
  const taken = held;
  held = { longest: 0, busiest: 0 };
  return taken;
}

function broadcast() {
  for (const socket of sockets.clients) socket.send(message);
}

const server = createServer((request, response) => {
  if (request.url === "/loop") response.end(JSON.stringify(takeHeld()));
  else if (request.url === "/collect") response.end(String(globalThis.gc()));
  else {
    // Answers first, as a server does that has stored the change.
    response.end();
    broadcast();
  }
});
const sockets = new WebSocketServer({
  server,
  maxPayload: 1024,
  perMessageDeflate: false,
  verifyClient: ({ req }) => req.headers.origin === `http://${req.headers.host}`,
});
sockets.on("connection", (socket) => socket.send(message));
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
  process.stdout.write(`${server.address().port}\n`);
});
