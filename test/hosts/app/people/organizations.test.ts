import { beforeAll, describe, expect, test } from "bun:test";
import { VISIBILITIES, type Visibility } from "../../../../src/domain/model/entities.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf, statusOf } from "../actions.ts";

const ACTORS = ["creator", "member", "admin", "owner", "stranger"] as const;
type Actor = (typeof ACTORS)[number];

/** Who may read reports of the creator, a member, in the organization. */
const READERS: Readonly<Record<Visibility, readonly Actor[]>> = {
  private: ["creator", "admin", "owner"],
  org: ["creator", "member", "admin", "owner"],
  public: ["creator", "member", "admin", "owner"],
};
/** Who may delete them and change their visibility. */
const CONTROLLERS: readonly Actor[] = ["creator", "admin", "owner"];
const CELLS = VISIBILITIES.flatMap((visibility) => ACTORS.map((actor) => [actor, visibility] as const));

describeOneEngine("permissions in an organization", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let tokens: Record<Actor, string>;

  beforeAll(async () => {
    const { owner, members } = await service.build.organization({ roles: ["member", "member", "admin"] });
    const [creator, member, admin] = members.map(({ token }) => token);
    const stranger = (await service.build.user()).token;
    tokens = { creator: creator ?? "", member: member ?? "", admin: admin ?? "", owner: owner.token, stranger };
  });

  async function group(visibility: Visibility) {
    const name = uniqueName();
    const codes = await act.publishVersions(tokens.creator, name, 2, { visibility });
    return { name, first: codes[0] ?? "", last: codes.at(-1) ?? "" };
  }
  const deletedBy = async (token: string, code: string) => {
    const status = await statusOf(act.deleteCode(token, code));
    return status === 200 ? (await act.read(tokens.creator, code)).status === 404 : status;
  };

  const mayRead = (actor: Actor, visibility: Visibility) => READERS[visibility].includes(actor);
  /** "Not found" for those who may not read it, "forbidden" for those who may only read it. */
  const statusOfControl = (actor: Actor, visibility: Visibility) => {
    if (!mayRead(actor, visibility)) return 404;
    return CONTROLLERS.includes(actor) ? 200 : 403;
  };

  describe.each(CELLS)("%s, %s", (actor, visibility) => {
    const readable = mayRead(actor, visibility);
    const control = statusOfControl(actor, visibility);
    const readBack = readable || visibility === "public" ? 200 : 404;

    test("sees a named report", async () => {
      const token = tokens[actor];
      const { name, first } = await group(visibility);
      expect({
        listed: (await act.list(token)).groups.some((entry) => entry.name === name),
        group: await statusOf(act.group(token, name)),
        readBack: (await act.read(token, first)).status,
      }).toEqual({ listed: readable, group: readable ? 200 : 404, readBack });
    });

    test("sees an unnamed report", async () => {
      const token = tokens[actor];
      const { code } = await act.publish(tokens.creator, { visibility });
      expect({
        listed: (await act.list(token)).standalone.some((entry) => entry.code === code),
        readBack: (await act.read(token, code)).status,
      }).toEqual({ listed: readable, readBack });
    });

    test("changes a named report", async () => {
      const token = tokens[actor];
      const { name, first } = await group(visibility);
      const modify = readable ? 200 : 404;
      expect({
        setLatest: await statusOf(act.setLatest(token, name, first)),
        setFolder: await statusOf(act.setFolder(token, { name, folder: "A/B" })),
        publish: await statusOf(act.publish(token, { name })),
        rename: await statusOf(act.rename(token, name, uniqueName())),
      }).toEqual({ setLatest: modify, setFolder: modify, publish: readable ? 200 : 409, rename: modify });
    });

    test("files an unnamed report", async () => {
      const { code } = await act.publish(tokens.creator, { visibility });
      const status = await statusOf(act.setFolder(tokens[actor], { code, folder: "A" }));
      expect(status).toBe(readable ? 200 : 404);
    });

    test("makes it public or private", async () => {
      const token = tokens[actor];
      const { name, first } = await group(visibility);
      const { code } = await act.publish(tokens.creator, { visibility });
      expect({
        version: await statusOf(act.setVisibility(token, { code: first, visibility: "private" })),
        standalone: await statusOf(act.setVisibility(token, { code, visibility: "private" })),
        group: await statusOf(act.setVisibility(token, { name, visibility: "private" })),
      }).toEqual({ version: control, standalone: control, group: control });
    });

    test("deletes it", async () => {
      const token = tokens[actor];
      const { name, first } = await group(visibility);
      const { code } = await act.publish(tokens.creator, { visibility });
      // Deleting an invisible code has no effect.
      const deleted = { 200: true, 403: 403, 404: false }[control];
      expect({
        version: await deletedBy(token, first),
        standalone: await deletedBy(token, code),
        group: await statusOf(act.deleteGroup(token, name)),
      }).toEqual({ version: deleted, standalone: deleted, group: control });
    });
  });

  test("a user who added a version to another's report controls only that version", async () => {
    const { name, first } = await group("org");
    const { code } = await act.publish(tokens.member, { name });
    expect({
      theirs: await statusOf(act.setVisibility(tokens.member, { code, visibility: "public" })),
      others: await statusOf(act.setVisibility(tokens.member, { code: first, visibility: "public" })),
      group: await statusOf(act.setVisibility(tokens.member, { name, visibility: "public" })),
      deleteGroup: await statusOf(act.deleteGroup(tokens.member, name)),
      deleteOthers: await deletedBy(tokens.member, first),
      deleteTheirs: await deletedBy(tokens.member, code),
    }).toEqual({ theirs: 200, others: 403, group: 403, deleteGroup: 403, deleteOthers: 403, deleteTheirs: true });
  });

  test("the creator of a report reads and controls all of its versions", async () => {
    const { name } = await group("private");
    const { code } = await act.publish(tokens.admin, { name });
    expect((await act.group(tokens.creator, name)).current_code).toBe(code);
    expect((await act.read(tokens.creator, code)).status).toBe(200);
    expect(await deletedBy(tokens.creator, code)).toBe(true);
  });

  test("a withdrawn version of a shared report is hidden from members, the report is not", async () => {
    const { name, first, last } = await group("org");
    await act.setVisibility(tokens.creator, { code: first, visibility: "private" });
    expect((await act.group(tokens.member, name)).versions.map(({ code }) => code)).toEqual([last]);
    expect((await act.group(tokens.admin, name)).versions).toHaveLength(2);
    expect((await act.read(tokens.member, first)).status).toBe(404);
    expect(await statusOf(act.setLatest(tokens.member, name, first))).toBe(400);
  });

  test("a report whose current version is withdrawn is hidden from members", async () => {
    const { name, first, last } = await group("org");
    await act.setVisibility(tokens.creator, { code: last, visibility: "private" });
    expect(await statusOf(act.group(tokens.member, name))).toBe(404);
    expect((await act.list(tokens.member)).groups.map((entry) => entry.name)).not.toContain(name);
    expect((await act.list(tokens.admin)).groups.map((entry) => entry.name)).toContain(name);
    expect((await act.read(tokens.member, first)).status).toBe(200);
  });

  test("one public version of a private report can be read back by members", async () => {
    const { first, last } = await group("private");
    await act.setVisibility(tokens.creator, { code: first, visibility: "public" });
    expect((await act.read(tokens.member, first)).status).toBe(200);
    expect((await act.read(tokens.member, last)).status).toBe(404);
  });

  test("a private report stays hidden from members even if its current version is public", async () => {
    const { name, first, last } = await group("private");
    await act.setVisibility(tokens.creator, { code: last, visibility: "public" });
    expect({
      group: await statusOf(act.group(tokens.member, name)),
      listed: (await act.list(tokens.member)).groups.some((entry) => entry.name === name),
      setLatest: await statusOf(act.setLatest(tokens.member, name, last)),
      setFolder: await statusOf(act.setFolder(tokens.member, { code: last, folder: "A" })),
      publish: await statusOf(act.publish(tokens.member, { name })),
      readBack: (await act.read(tokens.member, last)).status,
      readBackOther: (await act.read(tokens.member, first)).status,
    }).toEqual({
      group: 404,
      listed: false,
      setLatest: 404,
      setFolder: 404,
      publish: 409,
      readBack: 200,
      readBackOther: 404,
    });
  });
});
