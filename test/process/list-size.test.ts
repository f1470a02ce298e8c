import { beforeAll, expect, test } from "bun:test";
import { listRoute } from "../../src/contract/reports/lists.ts";
import { executeSql } from "../support/direct-sql.ts";
import { describeOneEngine } from "../support/engines.ts";
import { useOwnService } from "../support/service.ts";
import { onThisMachine } from "../support/timing.ts";
import type { ProbeReply, ProbeRequest } from "./probe-worker.ts";

const REPORTS = 50_000;
/** Milliseconds: more than the 50 for which the event loop may be blocked, because a busy machine delays the probe as well. */
const LONGEST_HOLD = 100;

const OWNER = "from memberships, numbers where role = 'owner'";
const NUMBERS = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${REPORTS})`;
const CODE = "'A' || cast(100000000000000 + n as text)";

const ITEMS = `
  insert into items (workspace_id, creator_id, name, visibility, current_code, last_version_no, created_at, updated_at,
    title, current_creator_id, current_visibility, search_text, sort_title, sort_name)
  ${NUMBERS} select workspace_id, user_id, 'group-' || cast(n as text), 'private', ${CODE}, 1, n, n,
    'Group', user_id, 'private', '', '', '' ${OWNER}`;
const VERSIONS = `
  insert into versions (code, item_id, creator_id, version_no, title, visibility, size, files, created_at)
  select current_code, id, creator_id, 1, title, visibility, 0, '[]', created_at from items`;

describeOneEngine(`a list of ${REPORTS} reports`, (engine) => {
  const service = useOwnService({ engine });
  let token: string;

  beforeAll(async () => {
    token = (await service.build.user()).token;
    for (const statement of [ITEMS, VERSIONS]) await executeSql(service.database, statement);
  });

  function startProbe() {
    const worker = new Worker(new URL("./probe-worker.ts", import.meta.url).href);
    const answer = new Promise<ProbeReply>((resolve) => {
      worker.onmessage = (event: MessageEvent<ProbeReply>) => resolve(event.data);
    });
    const tell = (request: ProbeRequest) => worker.postMessage(request);
    tell({ url: `${service.baseUrl}/api/config`, pid: service.process.pid });
    return async () => {
      tell("stop");
      const reply = await answer;
      worker.terminate();
      return reply;
    };
  }

  test("is streamed in pieces, and doesn't delay other requests", async () => {
    const headers = { Authorization: `Bearer ${token}` };
    await fetch(`${service.baseUrl}/api/list?limit=1`, { headers });
    const stopProbe = startProbe();
    const response = await fetch(`${service.baseUrl}/api/list`, { headers });
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body ?? []) pieces.push(piece);
    const { longestHold, slowest, count } = await stopProbe();
    console.log(`${REPORTS} reports on ${engine}: ${count} small requests meanwhile, the slowest took ${slowest.toFixed(0)} ms;
      the event loop was blocked for at most ${longestHold.toFixed(0)} ms`);
    const answer = listRoute.response.parse(JSON.parse(Buffer.concat(pieces).toString()));
    expect(answer.groups).toHaveLength(REPORTS);
    expect(new Set(answer.groups.map(({ name }) => name)).size).toBe(REPORTS);
    expect(pieces.length).toBeGreaterThan(20);
    expect(longestHold).toBeLessThan(onThisMachine(LONGEST_HOLD));
  });
});
