import { beforeAll, expect, test } from "bun:test";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import { listRoute } from "../../src/contract/reports/lists.ts";
import { groupRoute } from "../../src/contract/reports/named-reports.ts";
import { setVisibilityRoute } from "../../src/contract/reports/visibility.ts";
import { describeOneEngine } from "../support/engines.ts";
import { buildUpload, type Service, uniqueName, useTwoServices } from "../support/service.ts";
import { until } from "../support/until.ts";

const NAMES = 3;
const CLIENTS_PER_SERVER = 8;
const PUBLISHES_PER_CLIENT = 9;

describeOneEngine("two servers on one database", (engine) => {
  const { first, second } = useTwoServices(engine);
  let token: string;

  beforeAll(async () => {
    token = (await first.build.user()).token;
  });

  const upload = (service: Service, overrides: Parameters<typeof buildUpload>[0]) =>
    service.client(token).call(uploadRoute, { body: buildUpload(overrides) });

  async function readFrom({ contentUrl }: Service, code: string): Promise<[number, string]> {
    const response = await fetch(`${contentUrl}/${code}/`);
    return [response.status, await response.text()];
  }

  test("concurrent publishing to the same names gives distinct consecutive numbers, with the highest current", async () => {
    const names = Array.from({ length: NAMES }, () => uniqueName());
    const published = new Map<string, string[]>(names.map((name) => [name, []]));
    const runClient = async (service: Service) => {
      for (let turn = 0; turn < PUBLISHES_PER_CLIENT; turn++) {
        const name = names[turn % NAMES] ?? "";
        published.get(name)?.push((await upload(service, { name })).code);
      }
    };
    const clients = [first, second].flatMap((service) =>
      Array.from({ length: CLIENTS_PER_SERVER }, () => runClient(service)),
    );
    await Promise.all(clients);
    for (const [name, codes] of published) {
      for (const service of [first, second]) {
        const group = await service.client(token).call(groupRoute, { query: { name } });
        const count = (2 * CLIENTS_PER_SERVER * PUBLISHES_PER_CLIENT) / NAMES;
        expect(group.versions.map(({ version_no }) => version_no)).toEqual(
          Array.from({ length: count }, (_, position) => count - position),
        );
        expect(group.versions.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
        expect(group.current_code).toBe(group.versions[0]?.code ?? "");
      }
    }
  });

  test("concurrent claims of a new name create one report", async () => {
    const name = uniqueName();
    await Promise.all([first, second, first, second].map((service) => upload(service, { name })));
    const { groups } = await first.client(token).call(listRoute);
    expect(groups.filter((group) => group.name === name)).toEqual([expect.objectContaining({ version_count: 4 })]);
  });

  test("concurrent uses of a new folder create one folder", async () => {
    const folder = `Drawer/${uniqueName()}`;
    const names = Array.from({ length: 12 }, () => uniqueName());
    await Promise.all(names.map((name, position) => upload(position % 2 === 0 ? first : second, { name, folder })));
    const groups = await Promise.all(names.map((name) => first.client(token).call(groupRoute, { query: { name } })));
    expect(new Set(groups.map(({ folder_id }) => folder_id)).size).toBe(1);
    expect(new Set(groups.map((group) => group.folder))).toEqual(new Set([folder]));
  });

  test("a report published by one server is served by the other at once", async () => {
    const content = `<p>${uniqueName()}`;
    const { code } = await upload(first, { visibility: "public", files: [{ path: "index.html", content }] });
    expect(await readFrom(second, code)).toEqual([200, content]);
  });

  test("a report made private at one server soon disappears from the other", async () => {
    const { code } = await upload(first, { visibility: "public" });
    // Fills the cache.
    for (const service of [second, second, first]) expect((await readFrom(service, code))[0]).toBe(200);
    await first.client(token).call(setVisibilityRoute, { body: { code, visibility: "private" } });
    expect((await readFrom(first, code))[0]).toBe(404);
    await until(async () => (await readFrom(second, code))[0] === 404);
  });
});
