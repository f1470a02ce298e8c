import { beforeAll, expect, test } from "bun:test";
import { actionsOf } from "../hosts/app/actions.ts";
import { orderActionsOf } from "../hosts/app/cabinet/order-actions.ts";
import { HELLO, openPage } from "../hosts/live/portal-readers.ts";
import { readLive } from "../hosts/live/readers.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { readersOf, statusOf } from "../support/readers.ts";
import { uniqueName } from "../support/service.ts";
import { post } from "../support/sessions.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { publishNamed, startReplicas, statusAt, warm } from "./two-replicas.ts";

const LANES = 5;
const TRIES = 500;

describeIf("two replicas", postgresUnavailable(), () => {
  const replicas = use(startReplicas);
  let act: ReturnType<typeof actionsOf>;
  let owner: { slug: string; token: string };

  beforeAll(async () => {
    act = actionsOf(replicas.first);
    owner = await replicas.first.build.user();
  });

  const setVisibility = (code: string, visibility: "public" | "private") =>
    act.setVisibility(owner.token, { code, visibility });

  test(`a report withdrawn at one replica is refused by the other at once, ${TRIES} times out of ${TRIES}`, async () => {
    const { first, second } = replicas;
    const stale: string[] = [];
    const lane = async () => {
      const { code } = await act.publish(owner.token, { visibility: "public" });
      for (let round = 0; round < TRIES / LANES; round++) {
        await setVisibility(code, "public");
        const shown = await statusAt(second, code);
        await setVisibility(code, "private");
        const statuses = [shown, await statusAt(second, code), await statusAt(first, code)].join(" ");
        if (statuses !== "200 404 404") stale.push(statuses);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect(stale).toEqual([]);
  });

  test("a report deleted at one replica is refused by the other at once, also to its owner's token", async () => {
    const { second } = replicas;
    for (let round = 0; round < 20; round++) {
      const { code } = await act.publish(owner.token, { visibility: "public" });
      await warm(second, code);
      const bearer = { Authorization: `Bearer ${owner.token}` };
      expect(await statusAt(second, code, bearer)).toBe(200);
      await act.deleteCode(owner.token, code);
      expect(await statusAt(second, code)).toBe(404);
      expect(await statusAt(second, code, bearer)).toBe(404);
    }
  });

  test("reports deleted in a batch are refused by the other replica at once, which notifies their readers, and served again after undo", async () => {
    const { first, second } = replicas;
    const items = orderActionsOf(first);
    for (let round = 0; round < 10; round++) {
      const { name, code, linkAt } = await publishNamed(replicas, owner);
      const other = await act.publish(owner.token, { visibility: "public" });
      for (const one of [code, other.code]) await warm(second, one);
      const reader = await readLive(linkAt(second));
      expect(await reader.next()).toMatchObject({ type: "hello", code });
      const { undo } = await items.deleteItems(owner.token, [{ name }, { code: other.code }]);
      expect([await statusAt(second, code), await statusAt(second, other.code)]).toEqual([404, 404]);
      await reader.ended;
      expect(reader.messages.at(-1)).toEqual({ type: "gone" });
      await orderActionsOf(second).restoreItems(owner.token, undo?.id ?? "");
      for (const replica of [first, second]) {
        expect([await statusAt(replica, code), await statusAt(replica, other.code)]).toEqual([200, 200]);
        expect(await statusOf(linkAt(replica))).toBe(200);
      }
    }
  });

  test("tickets of a person who leaves an organization stop working on the other replica at once", async () => {
    const { first, second } = replicas;
    const readers = readersOf(first);
    const { slug, owner: chief } = await first.build.organization();
    for (let round = 0; round < 10; round++) {
      const member = await readers.person();
      const { userId } = await addMember(slug, member.slug);
      const { code } = await act.publish(chief.token, { visibility: "org" });
      const frame = await readersOf(second).openedFrame(code, member);
      for (let count = 0; count < 3; count++) expect(await statusOf(frame)).toBe(200);
      await act.removeMember(chief.token, { owner: slug, userId });
      expect(await statusOf(frame)).toBe(404);
    }
  });

  async function addMember(organizationSlug: string, userSlug: string) {
    const { accounts, store } = replicas.first.build;
    await accounts.addMember({ organizationSlug, userSlug, role: "member" });
    const user = await store.people.findUserBySlug(userSlug);
    if (user === undefined) throw new Error("The member was not added.");
    return { userId: user.id };
  }

  test("after a sign-out, tickets stop working on the other replica at once, and sockets there are closed", async () => {
    const { first, second } = replicas;
    const person = await readersOf(first).person();
    const name = uniqueName();
    const { code } = await act.publish(person.token, { name });
    const frame = await readersOf(second).openedFrame(code, person);
    for (let count = 0; count < 3; count++) expect(await statusOf(frame)).toBe(200);
    const page = await openPage(second, person.cookie);
    const reader = await readLive(`${second.baseUrl}/${name}/`, { Cookie: person.cookie });
    expect(await reader.next()).toMatchObject({ type: "hello" });
    const answer = await post(first, "/api/auth/sign-out", {}, { Cookie: person.cookie });
    expect(answer.status).toBe(200);
    expect(await statusOf(frame)).toBe(404);
    await reader.ended;
    await page.ended;
    expect(reader.messages.at(-1)).toEqual({ type: "gone" });
    expect(page.messages.at(-1)).toEqual({ type: "gone" });
  });

  test("readers at the other replica are notified of every version, rename and rollback, and of the end", async () => {
    const { first, second } = replicas;
    const { name, code, linkAt } = await publishNamed(replicas, owner);
    const reader = await readLive(linkAt(second));
    expect(await reader.next()).toMatchObject({ type: "hello", code });
    const next = await act.publish(owner.token, { name, title: "Second" });
    expect(await reader.news()).toMatchObject({ type: "version", code: next.code, version_no: 2, title: "Second" });
    await act.setLatest(owner.token, name, code);
    expect(await reader.news()).toMatchObject({ type: "version", code, version_no: 1 });
    const newName = uniqueName();
    await act.rename(owner.token, name, newName);
    expect(await reader.news()).toMatchObject({ type: "version", name: newName, code });
    await act.setVisibility(owner.token, { name: newName, visibility: "private" });
    await reader.ended;
    expect(reader.messages.at(-1)).toEqual({ type: "gone" });
    expect(await statusOf(`${linkAt(first).replace(name, newName)}`, { Accept: "application/json" })).toBe(404);
  });

  test("the other replica returns a new version at once", async () => {
    const { second } = replicas;
    const { name, linkAt } = await publishNamed(replicas, owner);
    for (let round = 0; round < 30; round++) {
      const { code } = await act.publish(owner.token, { name });
      const current = await (await fetch(`${linkAt(second)}~current`)).json();
      expect(current).toMatchObject({ code });
    }
  });

  test("pages at the other replica are notified of changes in their workspaces and of lost membership", async () => {
    const { first, second } = replicas;
    const { slug, owner: chief } = await first.build.organization();
    const member = await readersOf(first).person();
    const { userId } = await addMember(slug, member.slug);
    const page = await openPage(second, member.cookie);
    await act.publish(chief.token, { visibility: "org" });
    await page.reaches({ type: "changed", owner: slug, about: ["items"] });
    await act.removeMember(chief.token, { owner: slug, userId });
    await page.reaches({ type: "account" });
    const before = page.messages.length;
    await act.publish(chief.token, { visibility: "org" });
    await act.publish(member.token);
    await page.reaches({ type: "changed", owner: member.slug, about: ["items"] });
    const about = page.messages.slice(before).filter((message) => message.type === "changed" && message.owner === slug);
    expect(about).toEqual([]);
    expect(page.messages[0]).toEqual(HELLO);
    await page.leave();
  });
});
