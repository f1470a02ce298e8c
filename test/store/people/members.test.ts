import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { ROLES, type Role } from "../../../src/domain/model/entities.ts";
import { Failure } from "../../../src/domain/model/failure.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { uniqueName } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { addOwner, type Owner, openTestStore } from "../support.ts";

const PEOPLE = 4;

interface Wish {
  actor: number;
  subject: number;
  /** Undefined to remove the subject. */
  to: Role | undefined;
  isAdmission: boolean;
}

const person = fc.nat({ max: PEOPLE - 1 });
const wishes = fc.array(
  fc.record({
    actor: person,
    subject: person,
    to: fc.option(fc.constantFrom(...ROLES), { nil: undefined }),
    isAdmission: fc.boolean(),
  }),
  { maxLength: 30 },
);

/** Roles by person, and what a wish makes of them, told case by case. */
type Model = Map<number, Role>;

function expectedOutcome(model: Model, { actor, subject, to, isAdmission }: Wish): string {
  const [by, from] = [model.get(actor), model.get(subject)];
  if (by === undefined) return "NotFound";
  const leaves = actor === subject && to === undefined;
  if (by === "member" && !leaves) return "Forbidden";
  if (by === "admin" && (from === "owner" || to === "owner")) return "Forbidden";
  const isLastOwner = from === "owner" && [...model.values()].filter((role) => role === "owner").length === 1;
  if (isLastOwner && to !== "owner") return "Invalid";
  if (isAdmission && to !== undefined) return from === undefined ? "done" : "Conflict";
  return from === undefined ? "NotFound" : "done";
}

describeEachEngine("the store of members", (engine) => {
  const shared = use(() => openTestStore(engine));
  let people: Owner[];

  beforeAll(async () => {
    people = [];
    for (let count = 0; count < 12; count++) people.push(await addOwner(shared));
  });

  const userOf = (position: number): string => people[position]?.userId ?? "";

  async function addOrganization(): Promise<string> {
    const { accounts } = shared.build;
    const slug = uniqueName("org");
    await accounts.createOrganization({ slug, name: slug, ownerSlug: people[0]?.slug ?? "" });
    return (await shared.store.people.findWorkspace(slug))?.id ?? "";
  }

  async function outcomeOf(promise: Promise<unknown>): Promise<string> {
    try {
      await promise;
      return "done";
    } catch (error) {
      return error instanceof Failure ? error.kind : String(error);
    }
  }

  function wish(workspaceId: string, { actor, subject, to, isAdmission }: Wish): Promise<unknown> {
    const reference = { workspaceId, actorId: userOf(actor), userId: userOf(subject) };
    const { people } = shared.store;
    if (to === undefined) return people.removeMember(reference);
    return isAdmission
      ? people.admitMember({ ...reference, role: to, now: 1 })
      : people.setRole({ ...reference, role: to });
  }

  const rolesIn = async (workspaceId: string) =>
    Object.fromEntries((await shared.store.people.listMembers(workspaceId)).map(({ userId, role }) => [userId, role]));

  test("any sequence of wishes leaves what the rules say, and always an owner", async () => {
    const property = fc.asyncProperty(wishes, async (sequence) => {
      const workspaceId = await addOrganization();
      const model: Model = new Map([[0, "owner"]]);
      for (const each of sequence) {
        const expected = expectedOutcome(model, each);
        expect({ ...each, outcome: await outcomeOf(wish(workspaceId, each)) }).toEqual({ ...each, outcome: expected });
        if (expected !== "done") continue;
        if (each.to === undefined) model.delete(each.subject);
        else model.set(each.subject, each.to);
      }
      const roles = await rolesIn(workspaceId);
      expect(roles).toEqual(Object.fromEntries([...model].map(([position, role]) => [userOf(position), role])));
      expect(Object.values(roles)).toContain("owner");
    });
    await fc.assert(property, { numRuns: 40 });
  });

  test("of many owners who all leave at once, one has to stay", async () => {
    for (let round = 0; round < 5; round++) {
      const workspaceId = await addOrganization();
      for (let position = 1; position < people.length; position++) {
        await wish(workspaceId, { actor: 0, subject: position, to: "owner", isAdmission: true });
      }
      const outcomes = await Promise.all(
        people.map((_, position) => {
          const to = position % 2 === 0 ? undefined : "member";
          return outcomeOf(wish(workspaceId, { actor: position, subject: position, to, isAdmission: false }));
        }),
      );
      expect(outcomes.toSorted()).toEqual(["Invalid", ...Array(people.length - 1).fill("done")]);
      expect(Object.values(await rolesIn(workspaceId)).filter((role) => role === "owner")).toHaveLength(1);
    }
  });

  test("of two who remove each other at once, the first one wins", async () => {
    for (let round = 0; round < 10; round++) {
      const workspaceId = await addOrganization();
      await wish(workspaceId, { actor: 0, subject: 1, to: "owner", isAdmission: true });
      const outcomes = await Promise.all([
        outcomeOf(wish(workspaceId, { actor: 0, subject: 1, to: undefined, isAdmission: false })),
        outcomeOf(wish(workspaceId, { actor: 1, subject: 0, to: undefined, isAdmission: false })),
      ]);
      // Who has been removed is nobody there any more.
      expect(outcomes.toSorted()).toEqual(["NotFound", "done"]);
    }
  });
});
