import { afterAll, beforeAll, expect, test } from "bun:test";
import { stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { certificateUnavailable, createCertificate } from "../browser/tls.ts";
import { nginxUnavailable, startNginx } from "../deploy/nginx.ts";
import { findFreePort } from "../support/ports.ts";
import { failureSchema } from "../support/scenarios.ts";
import { buildUpload, uniqueName } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { pause } from "../support/until.ts";
import { use } from "../support/use.ts";
import { deployedUnavailable, newTally, publishMany, startDeployed } from "./deployed.ts";

const MEBIBYTE = 1024 ** 2;
const ROUNDS = 5;
/** Milliseconds: nginx avoids a replica that it could not reach for 2 s. */
const BETWEEN_RESTARTS = 4_000;

describeIf("two replicas behind nginx with the configuration of deploy/", deployedUnavailable(), () => {
  const deployed = use(() => startDeployed({ environment: { VITRINE_STOP_DELAY: "1" } }));
  let token: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    ({ token } = await deployed.build.user());
    headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  });

  const upload = (body: string | ReadableStream<Uint8Array>, more: Record<string, string> = {}) =>
    fetch(`${deployed.baseUrl}/api/upload`, { method: "POST", headers: { ...headers, ...more }, body });

  test("neither uploads nor responses are written to a disk on the way", async () => {
    const folders = ["client_body", "proxy"].map((name) => join(deployed.nginx.directory, name));
    const changedAt = () => Promise.all(folders.map(async (folder) => (await stat(folder)).mtimeMs));
    const before = await changedAt();
    const content = "0123456789abcdef".repeat((9 * MEBIBYTE) / 16);
    const files = [
      { path: "index.html", content },
      { path: "data.txt", content },
    ];
    const response = await upload(JSON.stringify(buildUpload({ visibility: "public", files })));
    const { url } = Object(await response.json());
    const read = await fetch(`${url}data.txt`, { headers: { "Accept-Encoding": "identity" } });
    await pause(200, "a client's pace");
    expect((await read.text()) === content).toBe(true);
    expect(await changedAt()).toEqual(before);
  });

  test("a client that sends too much learns why it is refused, before or after the program responds", async () => {
    const body = " ".repeat(15 * MEBIBYTE);
    for (let round = 0; round < ROUNDS; round++) {
      expect((await upload(body, { Authorization: "Bearer vtr_nobody" })).status).toBe(401);
      const other = await fetch(`${deployed.baseUrl}/api/rename`, { method: "POST", headers, body });
      expect(other.status).toBe(413);
      expect(failureSchema.parse(await other.json()).error).toContain("64 KB");
      expect((await fetch(`${deployed.contentUrl}/nothing`, { method: "POST", body })).status).toBe(405);
    }
  });

  test.each([
    ["with its length", () => " ".repeat(20 * MEBIBYTE + 1)],
    ["in chunks", () => new Blob([" ".repeat(20 * MEBIBYTE + 1)]).stream()],
  ])("an upload over the limit, %s, is refused as the program would", async (_, body) => {
    const response = await upload(body());
    expect(response.status).toBe(413);
    expect(response.headers.get("x-request-id")).toMatch(/^\w{16}$/);
    expect(failureSchema.parse(await response.json()).error).toContain("20 MB");
  });

  test("a rolling restart fails no request", async () => {
    const name = uniqueName();
    const { code, url } = await deployed.act.publish(token, { name, visibility: "public" });
    const tally = newTally();
    const odd: string[] = [];
    let isOver = false;
    let reads = 0;
    const publishing = publishMany(deployed, token, 2, () => isOver, tally);
    const reading = (async () => {
      for (; !isOver; reads++) {
        const page = await fetch(url);
        const current = await fetch(`${deployed.baseUrl}/api/group?name=${name}`, { headers });
        const { current_code } = Object(await current.json());
        if (page.status !== 200 || current_code !== code) odd.push(`${page.status} ${current.status} ${current_code}`);
        await page.text();
      }
    })();
    for (const replica of deployed.replicas) {
      expect(await replica.stop()).toBe(0);
      await pause(500, "the length of a fault");
      await replica.startAgain();
      await pause(BETWEEN_RESTARTS, "the length of a fault");
    }
    isOver = true;
    await Promise.all([publishing, reading]);
    console.info(
      `a rolling restart: ${reads} reads and ${tally.acknowledged.size} uploads, ${tally.refused} of them refused`,
    );
    expect([...odd, ...tally.odd].slice(0, 5)).toEqual([]);
    expect(reads).toBeGreaterThan(20);
    expect(tally.acknowledged.size).toBeGreaterThan(10);
  });
});

describeIf("nginx with the configuration of deploy/", nginxUnavailable() ?? certificateUnavailable(), () => {
  const NAMES = { app: "reports.vitrine.test", content: "content.vitrine.test" };
  /** Stands for a replica: records requests, and breaks connections. */
  const seen: string[] = [];
  let breaks = 0;
  let ports: { app: number; content: number; redirectPort: number };
  let ca: string;
  const stack = new AsyncDisposableStack();

  beforeAll(async () => {
    const replicas = Array.from({ length: 2 }, () =>
      Bun.listen({
        hostname: "127.0.0.1",
        port: 0,
        socket: {
          data(socket, chunk) {
            const request = chunk.toString();
            seen.push(request);
            if (breaks-- > 0) socket.end();
            else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK");
          },
        },
      }),
    );
    for (const replica of replicas) stack.defer(() => replica.stop(true));
    const targets = replicas.map(({ port }) => `127.0.0.1:${port}`);
    const certificate = await createCertificate("vitrine.test");
    ca = certificate.cert;
    ports = { app: await findFreePort(), content: await findFreePort(), redirectPort: await findFreePort() };
    stack.use(
      await startNginx({
        app: { name: NAMES.app, port: ports.app, targets },
        content: { name: NAMES.content, port: ports.content, targets },
        tls: { certificate, redirectPort: ports.redirectPort },
      }),
    );
  });
  afterAll(() => stack.disposeAsync());

  async function ask(method: string, breaking: number, headers: Record<string, string> = {}) {
    seen.length = 0;
    breaks = breaking;
    const response = await fetch(`https://127.0.0.1:${ports.app}/path?a=%2F`, {
      method,
      headers: { Host: NAMES.app, ...headers },
      tls: { ca },
      ...(method === "POST" ? { body: "{}" } : {}),
    });
    return { response, requests: seen.length };
  }

  test("passes on the requested host, the path as it is, and the client's address", async () => {
    await ask("GET", 0, { "X-Forwarded-For": "203.0.113.9" });
    const lines = seen[0]?.split("\r\n") ?? [];
    expect(lines[0]).toBe("GET /path?a=%2F HTTP/1.1");
    expect(lines).toContain(`Host: ${NAMES.app}`);
    expect(lines).toContain("X-Forwarded-For: 203.0.113.9, 127.0.0.1");
    expect(lines).toContain("X-Forwarded-Proto: https");
  });

  test("retries requests that change nothing on the other replica", async () => {
    const { response, requests } = await ask("GET", 1);
    expect([response.status, requests]).toEqual([200, 2]);
    expect(response.headers.get("strict-transport-security")).toBe("max-age=31536000");
  });

  test("sends requests that change something once, and says when to try again", async () => {
    const { response, requests } = await ask("POST", 1);
    expect([response.status, requests]).toEqual([503, 1]);
    expect(response.headers.get("retry-after")).toBe("2");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(failureSchema.parse(await response.json()).error).toMatch(/try again/i);
  });

  test("answers 503 when no replica responds", async () => {
    const { response } = await ask("GET", 2);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("2");
  });

  test("redirects plain HTTP to the same host with TLS", async () => {
    for (const name of Object.values(NAMES)) {
      const answer = await new Promise<string>((resolve) => {
        const socket = connect(ports.redirectPort, "127.0.0.1");
        socket.on("data", (chunk) => {
          resolve(String(chunk));
          socket.destroy();
        });
        socket.write(`GET /a?b=c HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
      });
      expect(answer).toStartWith("HTTP/1.1 308 ");
      expect(answer).toContain(`Location: https://${name}/a?b=c\r\n`);
    }
  });
});
