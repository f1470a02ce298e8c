import { uploadRoute } from "../src/contract/publishing/publish.ts";
import { connectRaw, uploadHead } from "../test/process/raw.ts";
import { type Bench, progress } from "./support/bench.ts";
import { encodeRequest, openConnection, timeRequests } from "./support/client.ts";
import { interleave, median } from "./support/statistics.ts";
import { compare, type Row } from "./support/table.ts";
import { run } from "./support/tools.ts";
import { createSite, LAUNCHER, type Site, startVitrine } from "./support/vitrine.ts";

const MEBIBYTE = 1024 * 1024;
const BODY_LIMIT = 20 * MEBIBYTE;
const STRANGERS = 50;
const PUBLISHES = 15;
const ROUNDS = 3;
const body = JSON.stringify({ files: [{ path: "index.html", content: "<p>x".repeat(25 * 1024) }] });

async function makeTokens({ environment }: Site): Promise<string[]> {
  const create = [LAUNCHER, "tokens", "create", "--user", "bench", "--scopes", "reports:write"];
  const tokens: string[] = [];
  for (let count = 0; count < STRANGERS; count++) tokens.push((await run(create, environment)).trim());
  return tokens;
}

async function stall(baseUrl: string, tokens: readonly string[]): Promise<Disposable> {
  const connections = new DisposableStack();
  const piece = "x".repeat(19 * MEBIBYTE);
  const begin = async (token: string) => {
    const connection = connections.use(connectRaw(baseUrl));
    await connection.write(uploadHead(token, BODY_LIMIT));
    await Promise.race([connection.write(piece), Bun.sleep(1_000)]);
  };
  await Promise.all(tokens.map(begin));
  return connections;
}

/** Measures uploads of 100 KB while other uploads have stalled, compared to uploads alone. */
export const stalled: Bench = async () => {
  const site = await createSite();
  const tokens = await makeTokens(site);
  const cases: Record<string, string[]> = {
    "5 stalled, one token": tokens.slice(0, 1).flatMap((token) => Array<string>(5).fill(token)),
    "50 stalled, one token": tokens.slice(0, 1).flatMap((token) => Array<string>(50).fill(token)),
    "50 stalled, 50 tokens": tokens,
  };
  const rows: Row[] = [];
  for (const [name, stalling] of Object.entries(cases)) {
    progress(`  ${name}`);
    await using vitrine = await startVitrine(site);
    const connection = await openConnection(vitrine.baseUrl);
    const request = encodeRequest({ method: "POST", path: uploadRoute.path, token: site.token, body });
    const time = async () => median(await timeRequests(connection, Array(PUBLISHES).fill(request)));
    await time();
    const { measured, against } = await interleave(
      ROUNDS,
      async () => {
        using _ = await stall(vitrine.baseUrl, stalling);
        return await time();
      },
      async () => {
        // The server must clean up the stalled uploads first.
        await time();
        return time();
      },
    );
    connection.close();
    rows.push(compare({ name: `100 KB, ${name}`, unit: "ms", measured, against, peer: "alone", bound: { atMost: 2 } }));
  }
  return rows;
};
