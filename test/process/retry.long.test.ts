import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/client/client.ts";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import { groupRoute } from "../../src/contract/reports/named-reports.ts";
import { addUser, startProgram } from "./program.ts";

const KILLS = 6;
const CLIENTS = 8;
/** Uploads answered before the kill; each round has more. */
const ANSWERS = 12;

interface Sent {
  name: string;
  key: string;
  /** Undefined if the server was gone before it answered. */
  code: string | undefined;
}

function publish(baseUrl: string, token: string, { name, key }: Pick<Sent, "name" | "key">) {
  const body = { name, files: [{ path: "index.html", content: `<title>${name}</title>` }] };
  return createClient({ baseUrl, token }).call(uploadRoute, { body, idempotencyKey: key });
}

test("uploads that are sent again after a kill publish once each, and keep their codes", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "vitrine-retry-"));
  try {
    const { token } = await addUser(dataDir);
    const sent: Sent[] = [];
    for (let round = 0; round < KILLS; round++) {
      await using program = await startProgram({ dataDir });
      let answered = 0;
      const runClient = async (client: number) => {
        for (let turn = 0; ; turn++) {
          const upload = { name: `group-${round}-${client}-${turn}`, key: crypto.randomUUID() };
          const answer = await publish(program.baseUrl, token, upload).catch(() => undefined);
          sent.push({ ...upload, code: answer?.code });
          if (answer === undefined) return;
          if (++answered === (round + 1) * ANSWERS) program.process.kill("SIGKILL");
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, (_, client) => runClient(client)));
      await program.process.exited;
    }
    await using program = await startProgram({ dataDir });
    const client = createClient({ baseUrl: program.baseUrl, token });
    for (const upload of sent) {
      const { code } = await publish(program.baseUrl, token, upload);
      if (upload.code !== undefined) expect(code).toBe(upload.code);
      const { versions } = await client.call(groupRoute, { query: { name: upload.name } });
      expect(versions.map((version) => version.code)).toEqual([code]);
    }
    // Otherwise no retry took place.
    expect(sent.some(({ code }) => code === undefined)).toBe(true);
    expect(sent.some(({ code }) => code !== undefined)).toBe(true);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
