import { expect, test } from "bun:test";
import { createPrivateLinks } from "../../src/domain/private-links/private-links.ts";
import { createNamedReports } from "../../src/domain/reports/named-reports.ts";
import { createVisibilities } from "../../src/domain/reports/visibility.ts";
import { openPostgresEvents } from "../../src/events/postgres.ts";
import { silentLog } from "../../src/observability/log.ts";
import { openPostgres } from "../../src/store/open-postgres.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { until } from "../support/content.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { readersOf } from "../support/readers.ts";
import { startService, uniqueName } from "../support/service.ts";
import { post } from "../support/sessions.ts";
import { describeIf } from "../support/skip.ts";
import { SECRET, statusAt, warm } from "./two-replicas.ts";

const MINUTE = 60_000;

/** Opens the parts of a replica with a wrong clock in this process, because a clock can't be set for one process. */
async function openReplica(url: string, ahead: number) {
  const events = await openPostgresEvents({ url, id: crypto.randomUUID(), log: silentLog });
  const store = await openPostgres(url, { changeMark: events.changeMark });
  const parts = { store, events, clock: { now: () => Date.now() + ahead }, secret: SECRET };
  return {
    store,
    events,
    privateLinks: createPrivateLinks(parts),
    visibilities: createVisibilities(parts),
    groups: createNamedReports(parts),
    async [Symbol.asyncDispose]() {
      await events.close();
      await store.close();
    },
  };
}

describeIf("a replica whose clock is wrong by a minute", postgresUnavailable(), () => {
  test.each([
    ["ahead", MINUTE],
    ["behind", -MINUTE],
  ])("accepts what others sign, and changes are effective everywhere at once (%s)", async (_, ahead) => {
    await using service = await startService({ engine: "postgres", environment: { VITRINE_SECRET: SECRET } });
    await using wrong = await openReplica(service.database.databaseUrl ?? "", ahead);
    const act = actionsOf(service);
    const readers = readersOf(service);
    const person = await readers.person();
    const caller = await service.build.tokens.authenticate(person.token);
    if (caller === undefined) throw new Error("The token was refused.");

    const { code } = await act.publish(person.token);
    const ticket = (await readers.openedFrame(code, person)).split("/")[3] ?? "";
    // From memory, as soon as no row changes between two checks.
    await until(async () => {
      const admission = wrong.privateLinks.admits(ticket, code);
      expect(await admission).toBeDefined();
      return !(admission instanceof Promise);
    });
    await post(service, "/api/auth/sign-out", {}, { Cookie: person.cookie });
    expect(await wrong.privateLinks.admits(ticket, code)).toBeUndefined();

    const { code: shown } = await act.publish(person.token, { visibility: "public" });
    await warm(service, shown);
    await wrong.visibilities.setForVersion(caller, shown, "private");
    await wrong.events.settled();
    expect(await statusAt(service, shown)).toBe(404);

    const name = uniqueName();
    const [first = "", second = ""] = await act.publishVersions(person.token, name, 2);
    await wrong.groups.rollBack(caller, { name, code: first });
    expect((await act.group(person.token, name)).current_code).toBe(first);
    const third = await act.publish(person.token, { name });
    const group = await act.group(person.token, name);
    expect(group.current_code).toBe(third.code);
    expect(group.versions.map((version) => version.code)).toEqual([third.code, second, first]);
    await until(async () => wrong.events.isHearing() || undefined);
  });
});
