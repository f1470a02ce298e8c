import { beforeAll, expect, test } from "bun:test";
import { itemVersionsRoute } from "../../../../src/contract/reports/details.ts";
import { setStorageRoute } from "../../../../src/contract/reports/settings.ts";
import { STAND_IN_SCRIPT } from "../../../../src/html/stand-in-script.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization, type Organization, PARTS } from "../../../support/people.ts";
import { uniqueName, useTwoServices } from "../../../support/service.ts";
import { readLive } from "../../live/readers.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

type Storage = "none" | "memory";
const storageCase = casesOf<typeof setStorageRoute>();
const PAGE = "<!doctype html><title>A page</title><script>localStorage.a</script>";
const FILES = [{ path: "index.html", content: PAGE }];

describeOneEngine("report/storage", (engine) => {
  const servers = useTwoServices(engine);
  const service = servers.first;
  const act = actionsOf(service);
  /** Servers on SQLite don't tell each other of changes. */
  const indexes = engine === "postgres" ? [0, 1] : [0];
  let slug: string;
  let token: string;

  beforeAll(async () => {
    ({ slug, token } = await service.build.user());
  });

  /** Returns what a browser gets, by turns from each server. */
  async function shown(code: string, index = 0): Promise<Storage> {
    const { contentUrl } = servers.at(index);
    const response = await fetch(`${contentUrl}/${code}/`, { headers: { "Sec-Fetch-Dest": "iframe" } });
    const text = await response.text();
    expect(text.replace(STAND_IN_SCRIPT, "")).toBe(PAGE);
    return text.includes(STAND_IN_SCRIPT) ? "memory" : "none";
  }
  const shownAll = (codes: readonly string[], index = 0) => Promise.all(codes.map((code) => shown(code, index)));
  const storagesOf = async (name: string) => {
    const { versions } = await service.client(token).call(itemVersionsRoute, { query: { name } });
    return versions.map(({ storage }) => storage).toReversed();
  };
  const publish = (name: string, storage?: Storage) =>
    act.publish(token, { name, visibility: "public", files: FILES, ...(storage === undefined ? {} : { storage }) });

  async function named(...storages: (Storage | undefined)[]) {
    const name = uniqueName();
    const codes: string[] = [];
    for (const storage of storages) codes.push((await publish(name, storage)).code);
    // Both servers remember what they have served.
    for (const index of indexes) await shownAll(codes, index);
    return { name, codes, first: codes[0] ?? "" };
  }
  type Named = Awaited<ReturnType<typeof named>>;

  const byName = (from: readonly (Storage | undefined)[], to: Storage) =>
    storageCase({
      name: `all versions, from ${from.join(" and ")} to ${to}`,
      given: () => named(...from),
      request: ({ name }) => ({ token, body: { name, storage: to } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, storage: to }),
      after: async ({ name, codes }: Named) => {
        for (const index of indexes) expect(await shownAll(codes, index)).toEqual(codes.map(() => to));
        expect(await storagesOf(name)).toEqual(codes.map(() => to));
      },
    });

  const refused = (name: string, body: (made: Named) => object, error: RegExp) =>
    storageCase({
      name,
      given: () => named("none"),
      request: (made) => ({ token, body: body(made) }),
      status: 400,
      error,
      after: async ({ name: report }) => expect(await storagesOf(report)).toEqual(["none"]),
    });

  testCases(() => service, setStorageRoute, [
    byName(["none", "none"], "memory"),
    byName(["memory", "none"], "none"),
    byName(["memory", undefined], "memory"),
    storageCase({
      name: "one version by its code, and no other",
      given: () => named("none", "none"),
      request: ({ first }) => ({ token, body: { code: first, storage: "memory" } }),
      status: 200,
      after: async ({ name, codes }) => {
        for (const index of indexes) expect(await shownAll(codes, index)).toEqual(["memory", "none"]);
        expect(await storagesOf(name)).toEqual(["memory", "none"]);
        await publish(name);
        expect(await storagesOf(name)).toEqual(["memory", "none", "none"]);
      },
    }),
    storageCase({
      name: "an unnamed report",
      given: () => act.publish(token, { visibility: "public", files: FILES }),
      request: ({ code }) => ({ token, body: { code, storage: "memory" } }),
      status: 200,
      after: async ({ code }) => expect(await shown(code)).toBe("memory"),
    }),
    storageCase({
      name: "an unknown report",
      given: () => undefined,
      request: () => ({ token, body: { name: uniqueName(), storage: "memory" } }),
      status: 404,
    }),
    refused("an unknown storage", ({ name }) => ({ name, storage: "disk" }), /^storage/),
    refused("no storage", ({ name }) => ({ name }), /^storage/),
    refused(
      "a name and a code",
      ({ name, first }) => ({ name, code: first, storage: "memory" }),
      /either name or code/,
    ),
    refused("neither name nor code", () => ({ storage: "memory" }), /either name or code/),
    ...PARTS.map((by) => {
      const status = { owner: 200, admin: 200, member: 403, stranger: 404 }[by];
      return storageCase({
        name: `an ${by} changes the report of an owner`,
        given: async () => {
          const organization = await addOrganization(service);
          const name = uniqueName();
          const { code } = await act.publish(organization.owner.token, {
            owner: organization.slug,
            name,
            visibility: "public",
            files: FILES,
          });
          return { ...organization, name, code };
        },
        request: (made: Organization & { name: string; code: string }) => ({
          token: made[by].token,
          body: { name: made.name, storage: "memory" },
        }),
        status,
        after: async ({ code }) => expect(await shown(code)).toBe(status === 200 ? "memory" : "none"),
      });
    }),
  ]);

  test("is the default of later versions, unless their upload names another", async () => {
    const { name } = await named("none");
    const { warnings: before } = await publish(name);
    expect(before).toHaveLength(1);
    await service.client(token).call(setStorageRoute, { body: { name, storage: "memory" } });
    const later = await publish(name);
    // What would not work without storage is no longer worth a warning.
    expect(later.warnings).toEqual([]);
    const other = await publish(name, "none");
    expect(other.warnings).toEqual(before);
    expect(await storagesOf(name)).toEqual(["memory", "memory", "memory", "none"]);
    expect(await shownAll([later.code, other.code])).toEqual(["memory", "none"]);
    await service.client(token).call(setStorageRoute, { body: { name, storage: "none" } });
    await publish(name);
    expect(await storagesOf(name)).toEqual(["none", "none", "none", "none", "none"]);
  });

  test("live readers of every replica load their frame again", async () => {
    const { name, first } = await named("none");
    const readers = [];
    for (const index of indexes) {
      const reader = await readLive(`${servers.at(index).contentUrl}/@${slug}/${name}/`);
      expect(await reader.next()).toMatchObject({ type: "hello", code: first, storage: "none" });
      readers.push(reader);
    }
    await service.client(token).call(setStorageRoute, { body: { name, storage: "memory" } });
    for (const reader of readers) {
      expect(await reader.news()).toMatchObject({ type: "version", code: first, storage: "memory" });
      reader.socket.close();
    }
  });
});
