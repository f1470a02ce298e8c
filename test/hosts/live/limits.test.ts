import { beforeAll, describe, expect, test } from "bun:test";
import { until } from "../../support/content.ts";
import { uniqueName, useService } from "../../support/service.ts";
import { actionsOf } from "../app/actions.ts";
import { knock, type Reader, readLive } from "./readers.ts";

const PER_ADDRESS = 4;
const TOTAL = 6;

describe("the number of sockets", () => {
  const service = useService({
    environment: { VITRINE_SOCKETS: String(TOTAL), VITRINE_SOCKETS_PER_ADDRESS: String(PER_ADDRESS) },
  });
  const act = actionsOf(service);
  let token: string;
  let slug: string;
  let link: string;

  beforeAll(async () => {
    ({ token, slug } = await service.build.user());
    link = await publishLink();
  });

  async function publishLink(): Promise<string> {
    const name = uniqueName();
    await act.publish(token, { name, visibility: "public" });
    return `${service.contentUrl}/@${slug}/${name}/`;
  }

  const from = (address: string) => ({ "X-Forwarded-For": address });
  const take = (address: string) => readLive(link, from(address));
  /** Takes a place that was just left, which may take a moment. */
  const takeSoon = (address: string) => until(() => take(address).catch(() => undefined));
  const takeAll = (address: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => takeSoon(address)));
  const statusFor = async (address: string) =>
    (await knock(link, { Origin: service.contentUrl, ...from(address) })).status;

  async function leave(readers: readonly Reader[]): Promise<void> {
    for (const { socket } of readers) socket.close();
    await Promise.all(readers.map(({ ended }) => ended));
  }

  test("from one address: a reader who leaves makes room for that address", async () => {
    const readers = await takeAll("198.51.100.1", PER_ADDRESS);
    expect(await statusFor("198.51.100.1")).toBe(503);
    await leave(readers.splice(0, 1));
    readers.push(await takeSoon("198.51.100.1"));
    expect(await statusFor("198.51.100.1")).toBe(503);
    await leave(readers);
  });

  test("does not include refused attempts", async () => {
    const socketOf = (name: string) => `${service.contentUrl}/@${slug}/${name}/`;
    for (let count = 0; count < 3 * TOTAL; count++) {
      const headers = { Origin: service.contentUrl, ...from("198.51.100.2") };
      expect((await knock(socketOf(uniqueName()), headers)).status).toBe(404);
      expect((await knock(link, { ...headers, "Sec-WebSocket-Key": "" })).status).toBe(400);
    }
    await leave(await takeAll("198.51.100.2", PER_ADDRESS));
  });

  test("decreases when a link is withdrawn and all its readers are sent away", async () => {
    const name = uniqueName();
    await act.publish(token, { name, visibility: "public" });
    const withdrawn = `${service.contentUrl}/@${slug}/${name}/`;
    const reading = Array.from({ length: TOTAL }, (_, place) =>
      until(() => readLive(withdrawn, from(`198.51.100.${10 + place}`)).catch(() => undefined)),
    );
    const readers = await Promise.all(reading);
    expect(await statusFor("198.51.100.3")).toBe(503);
    await act.deleteGroup(token, name);
    await Promise.all(readers.map(({ ended }) => ended));
    await leave(await takeAll("198.51.100.3", PER_ADDRESS));
  });
});
