import { describe, expect, test } from "bun:test";
import { type Caller, type Membership, SCOPES } from "../../../src/domain/model/entities.ts";
import type { ChangeEvent } from "../../../src/domain/model/events.ts";
import { createMembers } from "../../../src/domain/people/members.ts";

const organization: Membership = {
  id: "wsp_org",
  slug: "org",
  kind: "org",
  displayName: null,
  plan: "pro",
  role: "owner",
};
const caller: Caller = {
  userId: "usr_a",
  verifiedEmail: null,
  workspace: organization,
  memberships: [organization],
  scopes: new Set(SCOPES),
  credentialId: "tok_a",
  isOperator: false,
};

describe("a changed membership", () => {
  const happened: (ChangeEvent | string)[] = [];
  const stored = async () => {
    happened.push("stored");
    return { ownWorkspaceId: "wsp_b" };
  };
  const refuse = async (): Promise<never> => {
    throw new Error("not used");
  };
  const members = createMembers({
    store: {
      people: {
        listMembers: refuse,
        admitMember: async () => void happened.push("stored"),
        setRole: stored,
        removeMember: stored,
        findUserBySlug: async () => ({ id: "usr_b", workspaceId: "wsp_b" }),
      },
    },
    events: { publish: (event) => happened.push(event) },
    clock: { now: () => 0 },
    isSignUpOpen: false,
  });
  const event: ChangeEvent = {
    kind: "membershipChanged",
    userId: "usr_b",
    workspaceId: "wsp_org",
    ownWorkspaceId: "wsp_b",
  };

  test.each([
    ["added", () => members.add(caller, { owner: "org", user: "b", role: "member" })],
    ["removed", () => members.remove(caller, { owner: "org", userId: "usr_b" })],
    ["given another role", () => members.setRole(caller, { owner: "org", userId: "usr_b", role: "admin" })],
  ])("%s: published after it is stored", async (_, change) => {
    happened.length = 0;
    await change();
    expect(happened).toEqual(["stored", event]);
  });

  test("that was refused is not published", async () => {
    happened.length = 0;
    const outcome = await members
      .remove({ ...caller, memberships: [] }, { owner: "org", userId: "usr_b" })
      .catch(String);
    expect([outcome, happened]).toEqual([expect.stringContaining(`Organization "org" not found`), []]);
  });
});
