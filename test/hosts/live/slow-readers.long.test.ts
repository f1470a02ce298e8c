import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { until } from "../../support/content.ts";
import { startService, uniqueName } from "../../support/service.ts";
import { actionsOf } from "../app/actions.ts";
import { knock, type Reader, readLive } from "./readers.ts";
import { connectSilently } from "./silent-reader.ts";

const SILENT = 300;
const ATTENTIVE = 3;
const VERSIONS = 450;
/** About a kilobyte per message: together several times what may wait for one reader. */
const LARGE_TITLE = "報".repeat(300);
/** Megabytes; keeping everything that silent readers don't read would take 110. */
const MOST_GROWTH = 80;

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

const versionsOf = ({ messages }: Reader) =>
  messages.map((message) => (message.type === "gone" ? 0 : message.version_no));

test("readers who do not read are dropped before they cost much, and others receive everything", async () => {
  const sockets = { VITRINE_SOCKETS: String(SILENT + ATTENTIVE), VITRINE_SOCKETS_PER_ADDRESS: "0" };
  await using service = await startService({ environment: sockets });
  const act = actionsOf(service);
  const { token, slug } = await service.build.user();
  const [name, otherName] = [uniqueName(), uniqueName()];
  await act.publish(token, { name, visibility: "public" });
  // Allocates in advance what a publish itself needs.
  const warmUp = () => act.publish(token, { name: otherName, title: LARGE_TITLE });
  await Promise.all(Array.from({ length: VERSIONS }, warmUp));
  const link = `${service.contentUrl}/@${slug}/${name}/`;
  const attentive = await Promise.all(Array.from({ length: ATTENTIVE }, () => readLive(link)));
  using silent = new DisposableStack();
  for (let count = 0; count < SILENT; count++) silent.use(connectSilently(link));
  const isFull = async () => (await knock(link, { Origin: service.contentUrl })).status === 503;
  await until(async () => (await isFull()) || undefined);

  const before = residentMegabytes(service.process.pid);
  let most = before;
  for (let number = 2; number <= VERSIONS + 1; number++) {
    await act.publish(token, { name, title: LARGE_TITLE });
    most = Math.max(most, residentMegabytes(service.process.pid));
  }
  expect(most - before).toBeLessThan(MOST_GROWTH);
  for (const reader of attentive) {
    await until(async () => versionsOf(reader).at(-1) === VERSIONS + 1 || undefined);
    expect(versionsOf(reader)).toEqual(versionsOf(reader).toSorted((one, other) => one - other));
  }
  // There is room again for as many as were dropped.
  const arriving = Array.from({ length: SILENT }, () => until(async () => readLive(link).catch(() => undefined)));
  const arrived = await Promise.all(arriving);
  expect(await isFull()).toBe(true);
  for (const { socket } of [...arrived, ...attentive]) socket.close();
});
