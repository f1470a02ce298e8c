import { afterAll, beforeAll, expect, test } from "bun:test";
import { authorizeControlItem } from "../../../src/domain/model/access.ts";
import type { NewGuestLink } from "../../../src/domain/sharing/guest-ports.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { addOwner, buildPublication, type Owner, openTestStore, type TestStore } from "../support.ts";
import { permanently } from "../trash/support.ts";

const NOW = 1_000_000;

describeEachEngine("stored guest links", (engine) => {
  let scene: TestStore;
  let owner: Owner;
  let made = 0;

  beforeAll(async () => {
    scene = await openTestStore(engine);
    owner = await addOwner(scene);
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  const sharing = () => scene.store.sharing;

  async function share(overrides: Partial<NewGuestLink> = {}, limit = 100) {
    const { code } = await scene.store.publishing.publish(buildPublication(owner, { name: `shared-${++made}` }));
    const found = await scene.store.reports.findVersion(code);
    const item = authorizeControlItem(owner.caller, found);
    if (item === undefined || found === undefined) throw new Error("The report was not stored.");
    const link: NewGuestLink = {
      ...{ id: `lnk_${made}`, hash: `hash ${made}`, subject: { item }, creatorId: owner.userId, label: null },
      ...{
        passwordHash: null,
        emails: null,
        embedOrigins: null,
        createdAt: NOW,
        expiresAt: null,
        takesComments: false,
        hasPreview: false,
      },
      ...overrides,
    };
    expect(await sharing().addGuestLink({ link, limit })).toBe(true);
    return { link, item, code, found };
  }

  test("come back as they were added", async () => {
    const limits = { emails: ["ada@example.org"], embedOrigins: ["https://a.example"], expiresAt: NOW + 5 };
    const { link, item } = await share({ ...limits, label: "Vorstand", passwordHash: "hash" });
    const [listed] = await sharing().listGuestLinks({ itemId: item.id, code: undefined });
    expect(listed).toMatchObject({ id: link.id, label: "Vorstand", hasPassword: true, ...limits, uses: 0, code: null });
    expect(listed?.creator?.slug).toBe(owner.slug);
    expect(await sharing().findOpenGuestLink(link.hash, NOW)).toMatchObject({ id: link.id, isLive: true, ...limits });
    expect(await sharing().findOpenGuestLink(link.hash, NOW + 5)).toBeUndefined();
    expect(await sharing().findOpenGuestLinks([link.id, "lnk_none"], NOW)).toHaveLength(1);
    expect(await sharing().findOpenGuestLinks([], NOW)).toEqual([]);
    expect(await sharing().listGuestLinks({ itemId: item.id, code: "none" })).toEqual([]);
  });

  test("admit to the versions of their report, and to no others", async () => {
    const [one, other] = [await share({ embedOrigins: ["https://a.example"] }), await share({ expiresAt: NOW + 5 })];
    const admission = (code: string, id: string, now = NOW) => sharing().findGuestAdmission(code, id, now);
    expect(await admission(one.code, one.link.id)).toEqual({ expiresAt: null, embedOrigins: ["https://a.example"] });
    expect(await admission(one.code, other.link.id)).toBeUndefined();
    expect(await admission(other.code, other.link.id)).toEqual({ expiresAt: NOW + 5, embedOrigins: null });
    expect(await admission(other.code, other.link.id, NOW + 5)).toBeUndefined();
    await sharing().removeGuestLink({ id: one.link.id, of: one.found });
    expect(await admission(one.code, one.link.id)).toBeUndefined();
    expect(await sharing().removeGuestLink({ id: one.link.id, of: one.found })).toBe(false);
  });

  test("can't be added to a deleted report, nor above the limit", async () => {
    const { link, item } = await share();
    const another = { ...link, id: `${link.id}b`, hash: `${link.hash}b` };
    const refused = await sharing()
      .addGuestLink({ link: another, limit: 1 })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: "Conflict" });
    await scene.store.trash.deleteItem({ item, ...permanently(NOW) });
    expect(await sharing().addGuestLink({ link: another, limit: 100 })).toBe(false);
  });

  test("of a deleted report open nothing, and are kept until it can't be restored", async () => {
    const { link, item } = await share();
    const bin = { batchId: "del_guest", ids: ["del_guest"], expiresAt: NOW + 1_000, allowance: 1e9 };
    await scene.store.trash.deleteItem({ item, bin, userId: owner.userId, now: NOW });
    expect(await sharing().findOpenGuestLink(link.hash, NOW)).toBeUndefined();
    expect(await sharing().findGuestAdmission(item.currentCode, link.id, NOW)).toBeUndefined();
    const isKept = async () =>
      (await scene.rows.selectFrom("guest_links").select("id").where("id", "=", link.id).execute()).length > 0;
    await sharing().clearGuestLinks({ codes: NOW, expired: 0, orphaned: NOW });
    expect(await isKept()).toBe(true);
    await scene.rows.deleteFrom("deletions").where("id", "=", "del_guest").execute();
    await sharing().clearGuestLinks({ codes: NOW, expired: 0, orphaned: NOW - 1 });
    expect(await isKept()).toBe(true);
    await sharing().clearGuestLinks({ codes: NOW, expired: 0, orphaned: NOW });
    expect(await isKept()).toBe(false);
  });

  test("that expired long ago are removed", async () => {
    const { link, item } = await share({ expiresAt: 10 });
    expect(await sharing().clearGuestLinks({ codes: 0, expired: 9, orphaned: 0 })).toBe(0);
    expect(await sharing().clearGuestLinks({ codes: 0, expired: 10, orphaned: 0 })).toBe(1);
    expect(await sharing().listGuestLinks({ itemId: item.id, code: undefined })).toEqual([]);
    const change = {
      id: link.id,
      of: await foundOf(item),
      label: "x",
      expiresAt: null,
      takesComments: false,
      hasPreview: false,
    };
    expect(await sharing().updateGuestLink(change)).toBe(false);
  });

  const foundOf = async ({ currentCode }: { currentCode: string }) => {
    const found = await scene.store.reports.findVersion(currentCode);
    if (found === undefined) throw new Error("The report is gone.");
    return found;
  };

  test("sum up openings, of which the latest counts", async () => {
    const [one, other] = [await share(), await share()];
    await sharing().addGuestUses({
      uses: [
        { id: other.link.id, count: 2, lastAt: 20 },
        { id: one.link.id, count: 3, lastAt: 30 },
        { id: "lnk_none", count: 1, lastAt: 1 },
      ],
    });
    await sharing().addGuestUses({ uses: [{ id: one.link.id, count: 1, lastAt: 10 }] });
    const counted = async ({ item }: { item: { id: number } }) =>
      (await sharing().listGuestLinks({ itemId: item.id, code: undefined })).map(({ uses, lastUsedAt }) => [
        uses,
        lastUsedAt,
      ]);
    expect([await counted(one), await counted(other)]).toEqual([[[4, 30]], [[2, 20]]]);
  });

  test("a one-time code works once, for so many tries, until it expires", async () => {
    const { link } = await share();
    const set = (codeHash = "right", expiresAt = NOW + 10) =>
      sharing().setGuestCode({ linkId: link.id, emailHash: "ada", codeHash, expiresAt });
    const use = (codeHash: string, { emailHash = "ada", now = NOW } = {}) =>
      sharing().redeemGuestCode({ linkId: link.id, emailHash, codeHash, tries: 2, now });
    expect(await use("right")).toBe(false);
    expect(await set()).toBe(true);
    expect(await use("right", { emailHash: "other" })).toBe(false);
    expect([await use("wrong"), await use("right"), await use("right")]).toEqual([false, true, false]);
    await set();
    expect([await use("wrong"), await use("wrong"), await use("right")]).toEqual([false, false, false]);
    await set("newer");
    expect([await use("right"), await use("newer")]).toEqual([false, true]);
    await set("right", NOW);
    expect(await use("right")).toBe(false);
    expect(await sharing().setGuestCode({ linkId: "lnk_none", emailHash: "a", codeHash: "b", expiresAt: NOW })).toBe(
      false,
    );
  });

  test("of twenty guests who send the same code at once, one is let in", async () => {
    const { link } = await share();
    await sharing().setGuestCode({ linkId: link.id, emailHash: "ada", codeHash: "right", expiresAt: NOW + 10 });
    const use = { linkId: link.id, emailHash: "ada", codeHash: "right", tries: 100, now: NOW };
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => sharing().redeemGuestCode(use)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
  });
});
