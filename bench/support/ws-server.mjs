import { createServer } from "node:http";
import { WebSocketServer } from "ws";

/**
 * The same work on Node with the package `ws`, as its own guide has it: whoever connects is greeted, and what is posted
 * goes to all of them in a loop, in messages of as many bytes. Run by node with --expose-gc.
 */
const message = process.env.BENCH_MESSAGE ?? "";
let longest = 0;
let last = performance.now();

function turn() {
  const now = performance.now();
  longest = Math.max(longest, now - last);
  last = now;
}
setInterval(turn, 1).unref();

function takeLongest() {
  turn();
  const taken = longest;
  longest = 0;
  return taken;
}

function broadcast() {
  for (const socket of sockets.clients) socket.send(message);
}

const server = createServer((request, response) => {
  if (request.url === "/loop") response.end(String(takeLongest()));
  else if (request.url === "/collect") response.end(String(globalThis.gc()));
  else {
    // Answered first, as a server does that has written down what it tells of.
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
