import { describe, expect, test } from "bun:test";
import { SCOPES } from "../../../src/domain/model/entities.ts";
import type { KnownSession } from "../../../src/domain/people/ports.ts";
import { createSessions } from "../../../src/domain/people/sessions.ts";

const HOUR = 60 * 60_000;
const NOW = 1_800_000_000_000;

const workspace = { id: "wsp_a", slug: "ada", kind: "user", displayName: null, plan: "pro", role: "owner" } as const;

const sessionOf = (authenticatedAt: number): KnownSession => ({
  id: "ses_a",
  ref: "ref",
  expiresAt: NOW + 24 * HOUR,
  authenticatedAt,
  user: { email: "ada@example.org", name: "Ada" },
  caller: {
    userId: "usr_a",
    verifiedEmail: null,
    workspace,
    memberships: [workspace],
    scopes: new Set(SCOPES),
    credentialId: "ses_a",
    isOperator: false,
  },
});

describe("a session", () => {
  const sessions = createSessions({
    store: {
      people: {
        findSession: () => expect.unreachable(),
        findSessionByRef: () => expect.unreachable(),
        findSessionVersion: () => expect.unreachable(),
        findStandings: () => expect.unreachable(),
        listSessions: () => expect.unreachable(),
        endSession: () => expect.unreachable(),
        endOtherSessions: () => expect.unreachable(),
        confirmSession: async ({ id }) => id === "ses_a",
      },
    },
    events: { publish: () => undefined },
    clock: { now: () => NOW },
  });

  test.each([
    ["just begun", 0, false],
    ["a millisecond less than an hour old", HOUR - 1, false],
    ["an hour old", HOUR, true],
    ["weeks old", 500 * HOUR, true],
    ["without a time of sign-in", NOW, true],
    ["a minute ahead of another replica's clock", -60_000, false],
    ["begun by a clock that was set back since", -2 * HOUR, true],
  ])("%s", (_, age, needsConfirmation) => {
    const session = sessionOf(NOW - age);
    expect(sessions.needsConfirmation(session)).toBe(needsConfirmation);
    const require = () => sessions.requireConfirmed(session);
    if (needsConfirmation) expect(require).toThrow("You signed in more than an hour ago.");
    else require();
  });

  test("that has ended is not confirmed", async () => {
    await sessions.confirm(sessionOf(NOW));
    expect(sessions.confirm({ ...sessionOf(NOW), id: "ses_b" })).rejects.toThrow(
      "You aren't signed in. Sign in and try again.",
    );
  });
});
