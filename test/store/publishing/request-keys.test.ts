import { beforeAll, expect, test } from "bun:test";
import { Failure } from "../../../src/domain/model/failure.ts";
import type { Publication } from "../../../src/domain/publishing/ports.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { uniqueName } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { addOwner, buildPublication, failureOf, type Owner, openTestStore } from "../support.ts";

describeEachEngine("keys of requests", (engine) => {
  const shared = use(() => openTestStore(engine));
  let owner: Owner;

  beforeAll(async () => {
    owner = await addOwner(shared);
  });

  const requestOf = (overrides: Partial<NonNullable<Publication["request"]>> = {}) => ({
    userId: owner.userId,
    workspaceId: owner.workspaceId,
    key: crypto.randomUUID(),
    fingerprint: "one",
    expiresAt: 200,
    ...overrides,
  });

  const publish = (overrides: Partial<Publication>) =>
    shared.store.publishing.publish(buildPublication(owner, { now: 100, ...overrides }));

  const kindOf = async (promise: Promise<unknown>) => {
    const failure = await failureOf(promise);
    return failure instanceof Failure ? failure.kind : failure.message;
  };

  test("what a request led to is found until its key expires, and then the key is free", async () => {
    const request = requestOf();
    const first = await publish({ request });
    expect(await publish({ request, now: 199 })).toEqual(first);
    expect(await shared.store.publishing.findPublished({ ...request, now: 199 })).toEqual(first);
    expect(await shared.store.publishing.findPublished({ ...request, now: 200 })).toBeUndefined();
    const other = { ...request, fingerprint: "another", expiresAt: 300 };
    expect(await kindOf(publish({ request: other, now: 199 }))).toBe("Conflict");
    const second = await publish({ request: other, now: 200 });
    expect(second.code).not.toBe(first.code);
    expect(await shared.store.publishing.findPublished({ ...other, now: 299 })).toEqual(second);
    expect(await kindOf(shared.store.publishing.findPublished({ ...request, now: 299 }))).toBe("Conflict");
  });

  test("a key is taken by what has been published, and by nothing else", async () => {
    const request = requestOf();
    const name = uniqueName();
    await publish({ name });
    expect(await kindOf(publish({ request, quota: 0 }))).toBe("QuotaFull");
    expect(await kindOf(publish({ request, name, allowsRevisions: false }))).toBe("Forbidden");
    expect(await kindOf(publish({ request, name, expectedCode: null }))).toBe("Conflict");
    expect(await shared.store.publishing.findPublished({ ...request, now: 100 })).toBeUndefined();
    const { code } = await publish({ request: { ...request, fingerprint: "another" } });
    expect(code).toHaveLength(16);
  });

  test("of 20 publications at once with one key, one is stored, and all are told of it", async () => {
    const request = requestOf();
    const name = uniqueName();
    const published = await Promise.all(Array.from({ length: 20 }, () => publish({ request, name })));
    expect(new Set(published.map((one) => JSON.stringify(one))).size).toBe(1);
    const group = await shared.store.reports.findNamedReport(name);
    expect(group?.version).toMatchObject({ code: published[0]?.code ?? "", versionNo: 1 });
  });
});
