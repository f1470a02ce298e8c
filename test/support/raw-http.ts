import { connect } from "node:net";

interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/**
 * Sends bytes that `fetch` would correct or refuse, and resolves to the first answer when the server closes the
 * connection. The request has to say `Connection: close`.
 */
export function sendRaw(baseUrl: string, request: string | Uint8Array, deadline = 2_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = "";
    socket.setEncoding("latin1");
    const timer = setTimeout(() => socket.destroy(new Error("The server did not answer in time.")), deadline);
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => {
      clearTimeout(timer);
      const answer = parseAnswer(text);
      if (answer === undefined) reject(new Error("The server closed the connection without an answer."));
      else resolve(answer);
    });
    socket.write(request);
  });
}

function parseAnswer(text: string): RawAnswer | undefined {
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (end < 0 || Number.isNaN(status)) return undefined;
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { status, headers, body: text.slice(end + 4) };
}
