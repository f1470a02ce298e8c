import { expect, test } from "bun:test";
import { listRoute } from "../../src/contract/reports/lists.ts";
import { knock, type Reader, readLive } from "../hosts/live/readers.ts";
import { until } from "../support/content.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { post } from "../support/sessions.ts";
import { describeIf } from "../support/skip.ts";
import { publishNamed, startReplicas } from "./two-replicas.ts";

/** Fraction of the limit by which it may be exceeded. */
const TOLERANCE = 0.1;
const RATE_LIMIT = 400;
const SIGN_INS = 10;
const SOCKETS = 40;
const PER_ADDRESS = 20;

describeIf("limits shared by two replicas", postgresUnavailable(), () => {
  test("requests with one token are limited, however they are spread and however fast they come", async () => {
    await using replicas = await startReplicas({ environment: { VITRINE_RATE_LIMIT: String(RATE_LIMIT) } });
    const services = [replicas.first, replicas.second];
    const { token } = await replicas.first.build.user();
    const headers = { Authorization: `Bearer ${token}` };
    let passed = 0;
    let refused = 0;
    const startedAt = performance.now();
    const lane = async (position: number) => {
      const { baseUrl } = services[position % 2] ?? replicas.first;
      for (let count = 0; count < 100; count++) {
        const { status } = await fetch(baseUrl + listRoute.path, { headers });
        if (status === 200) passed++;
        else if (status === 429) refused++;
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, position) => lane(position)));
    // Otherwise the next minute has begun.
    expect(performance.now() - startedAt).toBeLessThan(55_000);
    console.info(`${passed} of 1200 requests passed, of ${RATE_LIMIT}`);
    expect(passed + refused).toBe(1200);
    expect(passed).toBeGreaterThanOrEqual(RATE_LIMIT);
    expect(passed).toBeLessThanOrEqual(RATE_LIMIT * (1 + TOLERANCE));
  });

  test("failed sign-ins are limited, also when they come at the same time", async () => {
    await using replicas = await startReplicas();
    const services = [replicas.first, replicas.second];
    const guess = async (email: string, position: number) => {
      const service = services[position % 2] ?? replicas.first;
      return (await post(service, "/api/auth/sign-in/email", { email, password: `wrong ${position}` })).status;
    };
    const tally = (statuses: readonly number[]) => ({
      tried: statuses.filter((status) => status === 401).length,
      refused: statuses.filter((status) => status === 429).length,
    });
    const together = await replicas.first.build.user();
    const atOnce = await Promise.all(Array.from({ length: 30 }, (_, position) => guess(together.email, position)));
    console.info(`${tally(atOnce).tried} of 30 concurrent guesses were tried, of ${SIGN_INS}`);
    expect(tally(atOnce)).toEqual({ tried: SIGN_INS, refused: 30 - SIGN_INS });

    const inTurn = await replicas.first.build.user();
    const statuses: number[] = [];
    for (let position = 0; position < 14; position++) statuses.push(await guess(inTurn.email, position));
    expect(tally(statuses)).toEqual({ tried: SIGN_INS, refused: 4 });
  });

  test("sockets are limited in total and per address; those of a dead replica no longer count", async () => {
    await using replicas = await startReplicas({
      environment: { VITRINE_SOCKETS: String(SOCKETS), VITRINE_SOCKETS_PER_ADDRESS: String(PER_ADDRESS) },
    });
    const { first, second } = replicas;
    const owner = await first.build.user();
    const { linkAt } = await publishNamed(replicas, owner);
    const from = (address: string) => ({ "X-Forwarded-For": address });
    const open = (service: typeof first, address: string) =>
      readLive(linkAt(service), from(address)).catch(() => undefined);
    const openMany = async (count: number, addressOf: (position: number) => string) => {
      const opening = Array.from({ length: count }, (_, position) =>
        open(position % 2 === 0 ? first : second, addressOf(position)),
      );
      return (await Promise.all(opening)).filter((reader): reader is Reader => reader !== undefined);
    };

    const sameAddress = await openMany(3 * PER_ADDRESS, () => "198.51.100.1");
    console.info(`${sameAddress.length} of ${3 * PER_ADDRESS} sockets from one address were opened, of ${PER_ADDRESS}`);
    expect(sameAddress.length).toBeGreaterThanOrEqual(PER_ADDRESS);
    expect(sameAddress.length).toBeLessThanOrEqual(PER_ADDRESS * (1 + TOLERANCE));
    for (const { socket } of sameAddress) socket.close();
    await Promise.all(sameAddress.map(({ ended }) => ended));

    const statusAt = async (service: typeof first, address: string) =>
      (await knock(linkAt(service), { Origin: service.contentUrl, ...from(address) })).status;
    await until(async () => (await statusAt(first, "198.51.100.1")) === 101 || undefined);

    const anyAddress: Reader[] = [];
    for (let position = 0; position < 2 * SOCKETS; position++) {
      const reader = await open(position % 2 === 0 ? first : second, `203.0.113.${position}`);
      if (reader !== undefined) anyAddress.push(reader);
    }
    console.info(`${anyAddress.length} of ${2 * SOCKETS} sockets were opened, of ${SOCKETS}`);
    expect(anyAddress.length).toBeGreaterThanOrEqual(SOCKETS * (1 - TOLERANCE));
    expect(anyAddress.length).toBeLessThanOrEqual(SOCKETS * (1 + TOLERANCE));
    expect(await statusAt(second, "203.0.113.200")).toBe(503);
    await first.stop("SIGKILL");
    await until(async () => (await statusAt(second, "203.0.113.200")) === 101 || undefined);
    for (const { socket } of anyAddress) socket.close();
  });
});
