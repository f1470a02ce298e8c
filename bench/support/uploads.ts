import { randomBytes } from "node:crypto";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import { UPLOAD_BODY_BYTES } from "../../src/domain/model/limits.ts";
import { encodeRequest, openConnection } from "./client.ts";
import { buildPage, buildScript } from "./reports.ts";
import type { Vitrine } from "./vitrine.ts";

const MEGABYTE = 1024 * 1024;

/** Returns an upload of the maximum size: a page, a library, an image, and data in a non-Latin script. */
export function buildLargeBody(): string {
  const files = [
    { path: "index.html", content: buildPage(MEGABYTE) },
    { path: "library.js", content: buildScript(3 * MEGABYTE) },
    { path: "image.png", content: randomBytes(5 * MEGABYTE).toString("base64"), encoding: "base64" },
    { path: "data.json", content: "" },
  ];
  const row = '{"region":"Ωμέγα","value":1234.5},\n';
  const room = UPLOAD_BODY_BYTES - Buffer.byteLength(JSON.stringify({ files })) - 100;
  const data = row.repeat(Math.floor(room / Buffer.byteLength(JSON.stringify(row).slice(1, -1))));
  return JSON.stringify({
    files: files.map((file) => (file.path === "data.json" ? { ...file, content: data } : file)),
  });
}

/** Sends a request on several connections in parallel, `times` on each. Throws unless each is answered as expected. */
export async function sendConcurrently(
  vitrine: Vitrine,
  request: Uint8Array,
  { connections, times, status }: { connections: number; times: number; status: number },
): Promise<void> {
  async function sendInTurn(): Promise<void> {
    const connection = await openConnection(vitrine.baseUrl);
    for (let sent = 0; sent < times; sent++) {
      const answer = await connection.send(request);
      if (answer.status !== status) throw new Error(`Answered ${answer.status}: ${Buffer.from(answer.body)}`);
    }
    connection.close();
  }
  await Promise.all(Array.from({ length: connections }, sendInTurn));
}

export const uploadRequest = ({ site }: Vitrine, body: string | Uint8Array): Uint8Array =>
  encodeRequest({ method: "POST", path: uploadRoute.path, token: site.token, body });
