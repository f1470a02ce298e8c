import { expect } from "bun:test";
import type { Service } from "../../../support/service.ts";
import { statusOf } from "../actions.ts";
import { createFurniture, type Furniture } from "../cabinet/items-support.ts";

export type Furnished = Awaited<ReturnType<Furniture["furnish"]>>;

/** Creates a new user's reports to delete together, and functions to check them afterwards. */
export async function createDeletions(service: Service) {
  const furniture = await createFurniture(service);
  const { act, owner, token } = furniture;

  const codesOf = ({ one, two, report }: Furnished) => [one.first, one.last, two.first, two.last, report.code];

  /** Checks that the reports are gone from every read and list. */
  async function expectGone(given: Furnished) {
    for (const { name } of [given.one, given.two]) expect(await statusOf(act.group(token, name))).toBe(404);
    for (const code of codesOf(given)) {
      expect((await act.read(undefined, code)).status).toBe(404);
      expect((await act.read(token, code)).status).toBe(404);
      expect(await act.deleteCode(token, code)).toEqual({ ok: true, deleted: false });
    }
    const { groups, standalone } = await act.list(token);
    expect(groups.map(({ name }) => name)).not.toContain(given.one.name);
    expect(standalone.map(({ code }) => code)).not.toContain(given.report.code);
    const { folders, tags } = await act.taxonomy(token, owner);
    expect(folders.find(({ id }) => id === given.before.id)?.item_count).toBe(0);
    expect(tags.find(({ id }) => id === given.kept.id)?.item_count).toBe(0);
  }

  /** Creates a member's report in an organization with other people. */
  async function shared() {
    const organization = await service.build.organization({ roles: ["member", "member", "admin"] });
    const [maker, other, admin] = organization.members;
    if (maker === undefined || other === undefined || admin === undefined) throw new Error("Members are missing.");
    const { code } = await act.publish(maker.token, { visibility: "org" });
    return { ...organization, maker, other, admin, code, items: [{ code }] };
  }

  return { ...furniture, codesOf, expectGone, shared };
}

export type Deletions = Awaited<ReturnType<typeof createDeletions>>;
