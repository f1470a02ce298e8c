import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { ControlledTransaction } from "kysely";
import type { Cause } from "../../../src/domain/model/audit.ts";
import { newCode } from "../../../src/domain/model/codes.ts";
import { Failure } from "../../../src/domain/model/failure.ts";
import type { Publication, Published } from "../../../src/domain/publishing/ports.ts";
import { perform } from "../../../src/store/calls.ts";
import type { Schema } from "../../../src/store/engine/schema.ts";
import { publishAtOnce } from "../../../src/store/publishing/publish-at-once.ts";
import { postgresUnavailable } from "../../support/postgres.ts";
import { runsOf } from "../../support/runs.ts";
import { random } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { use } from "../../support/use.ts";
import { addOwner, buildPublication, type Owner, openTestStore } from "../support.ts";
import { nastyFindings } from "./nasty-documents.ts";

type Transaction = ControlledTransaction<Schema>;
type Outcome = { published: Published; isAtOnce: boolean } | { refused: string };

const NOTE: string = 'Größer \\u0041 \'n "noted"';
const IGNORED = { public: "It is public.", org: "It is for the organization." };

/** Results are compared by codes and numbers, because ids are never reused. */
const ANY_ID = 0;

describeIf("publishing in one statement", postgresUnavailable(), () => {
  const shared = use(() => openTestStore("postgres"));
  let owners: Owner[];

  beforeAll(async () => {
    owners = [await addOwner(shared), await addOwner(shared)];
    const workspace_id = owners[1]?.workspaceId ?? "";
    const folder = {
      id: "fld_default",
      workspace_id,
      drawer_id: null,
      title: "All",
      search_title: "all",
      created_at: 1,
    };
    await shared.rows
      .insertInto("folders")
      .values({ ...folder, label_key: null })
      .execute();
    const filed = shared.rows.updateTable("workspaces").set({ default_folder_id: folder.id });
    await filed.where("id", "=", workspace_id).execute();
  });

  const drawn = fc.record({
    owner: fc.nat({ max: 1 }),
    userOf: fc.nat({ max: 1 }),
    name: fc.constantFrom(undefined, "sales", "costs"),
    title: fc.constantFrom("Sales", "Größe, İstanbul", '销售 \'n "quoted" \\u0041', "%_"),
    findings: nastyFindings,
    visibility: fc.constantFrom("private" as const, "public" as const, "org" as const),
    mayGovern: fc.boolean(),
    allowsRevisions: fc.boolean(),
    size: fc.nat({ max: 40 }),
    hasStandIns: fc.boolean(),
    note: fc.constantFrom(undefined, NOTE),
    storage: fc.constantFrom(undefined, undefined, "none" as const, "memory" as const),
    ignoresVisibility: fc.boolean(),
    /** Settings of the reports before this publication. */
    reportSettings: fc.option(
      fc.record({
        storage: fc.constantFrom(null, "none" as const, "memory" as const),
        display_title: fc.constantFrom(null, "Shown"),
      }),
      { freq: 4 },
    ),
    key: fc.constantFrom(undefined, undefined, undefined, "first", "second"),
    fingerprint: fc.constantFrom("same", "same", "other"),
    isRetired: fc.nat({ max: 12 }).map((one) => one === 0),
  });

  type Drawn = typeof drawn extends fc.Arbitrary<infer One> ? One : never;

  function buildSequence(all: readonly Drawn[]) {
    return all.map((one, index) => {
      const { owner, userOf, findings, hasStandIns, key, fingerprint, isRetired, ...rest } = one;
      const { ignoresVisibility, reportSettings, ...overrides } = rest;
      const { workspaceId } = owners[owner] as Owner;
      const { userId } = owners[userOf] as Owner;
      const now = 1_000 + index * 700;
      const publication: Publication = buildPublication(
        { userId, workspaceId },
        {
          ...overrides,
          title: findings.title ?? overrides.title,
          warnings: findings.warnings,
          ignored: { visibility: ignoresVisibility ? IGNORED : {}, folder: undefined },
          now,
          quota: 80,
          standIns: hasStandIns ? [{ path: "index.html", offset: 0, size: 12, digest: "d" }] : undefined,
          request:
            key === undefined
              ? undefined
              : { userId: owners[owner]?.userId ?? "", workspaceId, key, fingerprint, expiresAt: now + 2_000 },
        },
      );
      return { publication, isRetired, reportSettings };
    });
  }

  /** Runs a sequence on a state that is discarded afterwards. */
  async function run(
    sequence: ReturnType<typeof buildSequence>,
    attempt: (transaction: Transaction, publication: Publication) => Promise<Published | undefined>,
  ) {
    const transaction = await shared.rows.startTransaction().execute();
    try {
      const outcomes: Outcome[] = [];
      for (const { publication, isRetired, reportSettings } of sequence) {
        if (isRetired) await retire(transaction, publication.code);
        if (reportSettings !== null) await transaction.updateTable("items").set(reportSettings).execute();
        outcomes.push(await publishIn(transaction, publication, attempt));
      }
      return { outcomes, rows: await dump(transaction) };
    } finally {
      await transaction.rollback().execute();
    }
  }

  const retire = (transaction: Transaction, code: string) =>
    transaction.insertInto("retired_codes").values({ code, retired_at: 1, swept_at: null }).execute();

  async function publishIn(
    transaction: Transaction,
    publication: Publication,
    attempt: (transaction: Transaction, publication: Publication) => Promise<Published | undefined>,
  ): Promise<Outcome> {
    const before = await transaction.savepoint("before").execute();
    const published = await attempt(transaction, publication);
    if (published !== undefined) return { published, isAtOnce: true };
    await before.rollbackToSavepoint("before").execute();
    try {
      const published = await perform(transaction, "publishing.publish", publication, causeOf(publication));
      // The name says which call it is.
      return { published: published as Published, isAtOnce: false };
    } catch (error) {
      await before.rollbackToSavepoint("before").execute();
      return { refused: error instanceof Failure ? `${error.kind}: ${error.message}` : String(error) };
    }
  }

  const causeOf = ({ userId, now }: Publication): Cause => ({
    actor: { id: userId, slug: "ada" },
    credential: { kind: "token", id: "tok_1", name: null },
    requestId: `request at ${now}`,
    address: "192.0.2.7",
    at: now,
  });

  async function dump(transaction: Transaction) {
    const items = await transaction.selectFrom("items").selectAll().orderBy("id").execute();
    const codeOf = new Map(items.map(({ id, current_code }) => [id, current_code]));
    const itemGrams = await transaction.selectFrom("item_grams").selectAll().orderBy("rowid").execute();
    const codes = await transaction
      .selectFrom("search_codes")
      .leftJoin("code_grams", "code_grams.rowid", "search_codes.id")
      .select(["item_id", "code", "folded", "grams"])
      .orderBy("code")
      .execute();
    const versions = await transaction.selectFrom("versions").selectAll().orderBy("code").execute();
    const entries = await transaction.selectFrom("audit_entries").selectAll().orderBy("at").execute();
    const keys = await transaction
      .selectFrom("request_keys")
      .selectAll()
      .orderBy("workspace_id")
      .orderBy("key")
      .execute();
    return {
      items: items.map((item) => ({ ...item, id: ANY_ID })),
      itemGrams: itemGrams.map(({ rowid, grams }) => [codeOf.get(rowid), grams]),
      codes: codes.map(({ item_id, ...code }) => ({ ...code, item: codeOf.get(item_id) })),
      versions: versions.map(({ item_id, ...version }) => ({ ...version, item: codeOf.get(item_id) })),
      entries: entries.map(({ subject_id, details, ...entry }) => ({
        ...entry,
        id: ANY_ID,
        item: codeOf.get(Number(subject_id)),
        details: JSON.parse(details),
      })),
      keys: keys.map(({ published, ...key }) => ({ ...key, published: { ...JSON.parse(published), itemId: ANY_ID } })),
      workspaces: await transaction.selectFrom("workspaces").selectAll().orderBy("id").execute(),
    };
  }

  const withoutIds = (outcome: Outcome) =>
    "published" in outcome ? { ...outcome.published, itemId: ANY_ID } : outcome;

  const usual: Drawn = {
    owner: 0,
    userOf: 0,
    name: "sales",
    title: "Sales",
    visibility: "private",
    mayGovern: true,
    allowsRevisions: true,
    size: 10,
    hasStandIns: false,
    note: undefined,
    storage: undefined,
    ignoresVisibility: false,
    reportSettings: null,
    findings: { title: undefined, warnings: [] },
    key: undefined,
    fingerprint: "same",
    isRetired: false,
  };
  /** One example of each outcome, so that none depends on chance. */
  const examples: [Drawn[]][] = [
    [
      [
        { ...usual, key: "first" },
        { ...usual, key: "first" },
        { ...usual, key: "first", fingerprint: "other" },
      ],
    ],
    [[usual, { ...usual, userOf: 1, mayGovern: false }, { ...usual, allowsRevisions: false }]],
    [[usual, { ...usual, size: 40 }, { ...usual, size: 40 }]],
    [[{ ...usual, isRetired: true }, usual]],
    [
      [
        { ...usual, note: NOTE, storage: "none" },
        { ...usual, ignoresVisibility: true, reportSettings: { storage: "memory", display_title: "Shown" } },
      ],
    ],
  ];

  test("has the same result as the transaction, whatever was published before", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { minLength: 1, maxLength: 14 }), async (all) => {
        const sequence = buildSequence(all);
        const inSteps = await run(sequence, async () => undefined);
        const atOnce = await run(sequence, (transaction, publication) =>
          publishAtOnce(transaction, publication, causeOf(publication)),
        );
        expect(atOnce.outcomes.map(withoutIds)).toEqual(inSteps.outcomes.map(withoutIds));
        expect(atOnce.rows).toEqual(inSteps.rows);
        atOnce.outcomes.forEach((outcome, index) => {
          const isNew = "published" in outcome && outcome.published.code === sequence[index]?.publication.code;
          // New publications take one statement; refusals and retries don't.
          if ("published" in outcome) expect(outcome.isAtOnce).toBe(isNew);
          seen.add("refused" in outcome ? (outcome.refused.split(":")[0] ?? "") : isNew ? "published" : "replayed");
        });
      }),
      { numRuns: runsOf(120), examples },
    );
    // Every outcome occurred.
    expect([...seen].toSorted()).toEqual(["Conflict", "Error", "Forbidden", "QuotaFull", "published", "replayed"]);
  });

  test("leaves to the transaction what it can't do", async () => {
    const [owner] = owners;
    if (owner === undefined) throw new Error("The owner is missing.");
    const others: Partial<Publication>[] = [{ folder: null }, { name: "one", expectedCode: null }];
    for (const overrides of others) {
      const publication = buildPublication(owner, { code: newCode(random), ...overrides });
      expect(await publishAtOnce(shared.rows, publication, causeOf(publication))).toBeUndefined();
    }
  });
});
