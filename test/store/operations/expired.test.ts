import { expect, test } from "bun:test";
import type { AuthTable } from "../../../src/domain/people/ports.ts";
import { createTestDatabase, describeEachEngine } from "../../support/engines.ts";
import { createFactories } from "../../support/service.ts";
import { buildPublication } from "../support.ts";

describeEachEngine("expired rows", (engine) => {
  test("are deleted, and others stay", async () => {
    const database = await createTestDatabase(engine);
    const store = await database.openStore();
    try {
      const { slug } = await createFactories(store).user();
      const { id: user_id = "", workspaceId = "" } = (await store.people.findUserBySlug(slug)) ?? {};
      const times = { created_at: 1, updated_at: 1 };
      for (const expires_at of [99, 100, 101]) {
        const id = `at-${expires_at}`;
        await store.people.createAuthRow({
          table: "sessions",
          row: { ...times, id, ref: id, token: id, user_id, expires_at },
        });
        await store.people.createAuthRow({
          table: "verifications",
          row: { ...times, id, identifier: "x", value: "y", expires_at },
        });
        await store.people.addInvitation({
          id,
          hash: id,
          workspaceId,
          inviterId: user_id,
          role: "member",
          email: null,
          now: 1,
          expiresAt: expires_at,
        });
        const request = { userId: user_id, workspaceId, key: id, fingerprint: "f", expiresAt: expires_at };
        await store.publishing.publish(buildPublication({ userId: user_id, workspaceId }, { request, now: 1 }));
      }
      await store.operations.removeExpired({ now: 100 });
      const idsOf = async (table: AuthTable) =>
        (await store.people.findAuthRows({ table, where: [] })).map(({ id }) => id);
      expect([await idsOf("sessions"), await idsOf("verifications")]).toEqual([["at-101"], ["at-101"]]);
      // All three were valid at that time, so whatever is missing was deleted.
      const kept = await Promise.all(
        [99, 100, 101].map(async (at) => {
          const request = { userId: user_id, workspaceId, key: `at-${at}`, fingerprint: "f", now: 1 };
          return (await store.publishing.findPublished(request)) === undefined ? "gone" : "kept";
        }),
      );
      expect(kept).toEqual(["gone", "gone", "kept"]);
      const invitations = await store.people.listInvitations(workspaceId, 0);
      expect(invitations.map(({ id }) => id)).toEqual(["at-101"]);
    } finally {
      await store.close();
      await database.remove();
    }
  });
});
