import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { isForAnyone, isPublic, mayRead, mayReadAsItem, mayReadItem } from "../../../src/domain/model/access.ts";
import {
  type Caller,
  type Membership,
  ROLES,
  type Role,
  SCOPES,
  VISIBILITIES,
  type Visibility,
} from "../../../src/domain/model/entities.ts";
import { Failure } from "../../../src/domain/model/failure.ts";
import { createService as createThumbnails } from "../../../src/domain/thumbnails/service.ts";
import { createLocalEvents } from "../../../src/events/local.ts";
import { showCurrentVersion } from "../../../src/store/reports/current-version.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { pngOf, webpOf } from "../../support/images.ts";
import { runsOf } from "../../support/runs.ts";
import { clock } from "../../support/service.ts";
import { buildPublication, openTestStore, type TestStore } from "../support.ts";

const USERS = [0, 1, 2];
const ORGANIZATIONS = [0, 1];
/** One per user, then the organizations. */
const WORKSPACES = [...USERS, ...ORGANIZATIONS.map((organization) => USERS.length + organization)];

const PICTURE = webpOf().toString("base64");
const OTHER_PICTURE = pngOf().toString("base64");

const anyVisibility = fc.constantFrom(...VISIBILITIES);
const anyUser = fc.constantFrom(...USERS);

const anyReport = fc.record({
  workspace: fc.constantFrom(...WORKSPACES),
  isNamed: fc.boolean(),
  maker: anyUser,
  visibility: anyVisibility,
  versions: fc.array(fc.record({ maker: anyUser, visibility: anyVisibility }), { minLength: 1, maxLength: 3 }),
  current: fc.nat({ max: 2 }),
});

const anyWorld = fc.record({
  /** By user and organization. */
  roles: fc.array(fc.array(fc.constantFrom(undefined, "member" as const, ...ROLES), { minLength: 2, maxLength: 2 }), {
    minLength: USERS.length,
    maxLength: USERS.length,
  }),
  reports: fc.array(anyReport, { minLength: 1, maxLength: 12 }),
});

type World = typeof anyWorld extends fc.Arbitrary<infer Drawn> ? Drawn : never;
type Report = World["reports"][number];

/** A world whose first organization has a report of every combination that can matter to its first user. */
const worldOfEveryCombination = (role: Role): World => ({
  roles: [
    [role, undefined],
    ["owner", undefined],
    [undefined, undefined],
  ],
  reports: [true, false].flatMap((isNamed) =>
    [0, 1].flatMap((maker) =>
      VISIBILITIES.flatMap((visibility) =>
        [0, 1].flatMap((versionMaker) =>
          VISIBILITIES.map((versionVisibility) => ({
            workspace: USERS.length,
            isNamed,
            maker,
            visibility,
            versions: [{ maker: versionMaker, visibility: versionVisibility }],
            current: 0,
          })),
        ),
      ),
    ),
  ),
});

const roleIn = ({ roles }: World, user: number, workspace: number): Role | undefined =>
  workspace < USERS.length ? (workspace === user ? "owner" : undefined) : roles[user]?.[workspace - USERS.length];

/** States the rule as design.md §5.8 does, independently of the implementation. */
function readsByTheBook(world: World, user: number, workspace: number, visibility: Visibility, makers: number[]) {
  const role = roleIn(world, user, workspace);
  const isOrganization = workspace >= USERS.length;
  const shareAnOrganization = ORGANIZATIONS.some(
    (organization) => world.roles[user]?.[organization] && world.roles[workspace]?.[organization],
  );
  switch (visibility) {
    case "public":
      return true;
    case "org":
      return role !== undefined || (!isOrganization && shareAnOrganization);
    case "private":
      return role === "owner" || role === "admin" || (role === "member" && makers.includes(user));
  }
}

const currentOf = (report: Report) => {
  const current = report.versions[report.current % report.versions.length];
  if (current === undefined) throw new Error("A report has no version.");
  return current;
};

const readsVersion = (world: World, user: number, { workspace, maker }: Report, version: Report["versions"][number]) =>
  readsByTheBook(world, user, workspace, version.visibility, [maker, version.maker]);

const readsReport = (world: World, user: number, report: Report, version = currentOf(report)) =>
  readsByTheBook(world, user, report.workspace, report.visibility, [report.maker]) &&
  readsVersion(world, user, report, version);

describeEachEngine("the reading rule", (engine) => {
  let shared: TestStore;

  beforeAll(async () => {
    shared = await openTestStore(engine);
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  /** Stores a drawn world next to the earlier ones, which share no people or workspaces with it. */
  async function build(world: World) {
    const run = crypto.randomUUID().slice(0, 8);
    const userId = (user: number) => `usr_${run}_${user}`;
    const workspaceId = (workspace: number) => `wsp_${run}_${workspace}`;
    const ref = (user: number) => `ref_${run}_${user}`;
    const { rows } = shared;
    const times = { created_at: 1, updated_at: 1 };
    const users = USERS.map((user) => ({
      id: userId(user),
      email: `${userId(user)}@example.org`,
      name: null,
      ...times,
    }));
    await rows
      .insertInto("users")
      .values(users.map((user) => ({ ...user, image: null })))
      .execute();
    const workspaces = WORKSPACES.map((workspace) => ({
      id: workspaceId(workspace),
      slug: `w-${run}-${workspace}`,
      kind: workspace < USERS.length ? ("user" as const) : ("org" as const),
      display_name: null,
      plan: "pro" as const,
      default_folder_id: null,
      created_at: 1,
    }));
    await rows.insertInto("workspaces").values(workspaces).execute();
    const memberships = USERS.flatMap((user) =>
      WORKSPACES.flatMap((workspace) => {
        const role = roleIn(world, user, workspace);
        const ids = { user_id: userId(user), workspace_id: workspaceId(workspace) };
        return role === undefined ? [] : [{ ...ids, role, created_at: 1 }];
      }),
    );
    await rows.insertInto("memberships").values(memberships).execute();
    const sessions = USERS.map((user) => ({
      ...{ id: `ses_${run}_${user}`, token: `tok_${run}_${user}`, ref: ref(user), user_id: userId(user) },
      ...{ ip_address: null, user_agent: null, expires_at: 1_000, authenticated_at: 1, ...times },
    }));
    await rows.insertInto("sessions").values(sessions).execute();

    const caller = (user: number): Caller => {
      const own = WORKSPACES.flatMap((workspace): Membership[] => {
        const role = roleIn(world, user, workspace);
        const row = workspaces[workspace];
        if (role === undefined || row === undefined) return [];
        return [{ id: row.id, slug: row.slug, kind: row.kind, displayName: null, plan: "pro", role }];
      });
      const [workspace] = own;
      if (workspace === undefined) throw new Error("A user has no workspace.");
      return {
        userId: userId(user),
        workspace,
        memberships: own,
        scopes: new Set(SCOPES),
        credentialId: "",
        isOperator: false,
      };
    };

    const reports = [];
    for (const [position, report] of world.reports.entries()) {
      const name = `r-${run}-${position}`;
      reports.push({ report, ...(await publishAll(report, name, userId, workspaceId(report.workspace))) });
    }
    return { workspaceId, ref, caller, reports };
  }

  async function publishAll(report: Report, name: string, userId: (user: number) => string, workspaceId: string) {
    const { rows, store } = shared;
    const codes: string[] = [];
    let itemId = 0;
    for (const version of report.isNamed ? report.versions : [currentOf(report)]) {
      const owner = { userId: userId(report.maker), workspaceId };
      const published = await store.publishing.publish(
        buildPublication(owner, { name: report.isNamed ? name : undefined }),
      );
      itemId = published.itemId;
      codes.push(published.code);
      await rows
        .insertInto("thumbnails")
        .values({ code: published.code, digest: "", media_type: "image/webp", created_at: 1, image: PICTURE })
        .execute();
      const made = { creator_id: userId(version.maker), visibility: version.visibility };
      await rows.updateTable("versions").set(made).where("code", "=", published.code).execute();
    }
    const current_code = codes[report.isNamed ? report.current % codes.length : 0] ?? "";
    const shown = { visibility: report.visibility, current_code };
    await rows.updateTable("items").set(shown).where("id", "=", itemId).execute();
    await showCurrentVersion(rows, itemId);
    return { itemId, codes, name: report.isNamed ? name : undefined };
  }

  type Built = Awaited<ReturnType<typeof build>>;
  type BuiltReport = Built["reports"][number];

  const versionsOf = ({ report, codes }: BuiltReport) =>
    (report.isNamed ? report.versions : [currentOf(report)]).map((version, n) => ({ version, code: codes[n] ?? "" }));

  /** Checks what every query of the store returns to a member of a workspace. */
  async function checkQueries(world: World, built: Built, user: number, membership: Membership, workspace: number) {
    const { store } = shared;
    const reader = { userId: built.caller(user).userId, role: membership.role };
    const own = built.reports.filter(({ report }) => report.workspace === workspace);
    const readable = own.filter(({ report }) => readsReport(world, user, report)).map(({ itemId }) => itemId);
    const listed = [];
    for (const kind of ["group", "report"] as const) {
      const page = { userId: reader.userId, membership, kind, beforeId: undefined, limit: 1_000 };
      listed.push(...(await store.reports.listItems(page)).map(({ id }) => id));
    }
    expect(listed.toSorted((a, b) => a - b)).toEqual(readable);
    const taxonomy = await store.cabinet.readTaxonomy({ workspaceId: membership.id, reader });
    expect(taxonomy.itemCount).toBe(readable.length);
    for (const { report, itemId, name, codes } of own) {
      const page = { itemId, reader, beforeNo: undefined, limit: 100 };
      const versions = (await store.reports.listReadableVersions(page)).map(({ code }) => code).toReversed();
      const allowed = versionsOf({ report, itemId, name, codes }).filter(({ version }) =>
        readsVersion(world, user, report, version),
      );
      expect(versions).toEqual(allowed.map(({ code }) => code));
      if (name === undefined) continue;
      // The quota is 0, so no publish changes anything; the reason for the refusal shows who may publish.
      const owner = { userId: reader.userId, workspaceId: membership.id };
      const mayGovern = membership.role !== "member";
      const attempt = store.publishing.publish(buildPublication(owner, { name, mayGovern, quota: 0 }));
      const refusal = await attempt.catch((error: unknown) => (error instanceof Failure ? error.kind : error));
      expect(refusal).toBe(readable.includes(itemId) ? "QuotaFull" : "Conflict");
    }
  }

  /** Checks what links show to a person who is signed in, member or not. */
  async function checkLinks(world: World, built: Built, user: number): Promise<void> {
    const { store } = shared;
    for (const each of built.reports) {
      const { report } = each;
      const workspaceId = built.workspaceId(report.workspace);
      const standings = await store.people.findStandings(workspaceId, USERS.map(built.ref), 1);
      const standing = standings.find(({ ref }) => ref === built.ref(user));
      if (standing === undefined) throw new Error("The session is missing.");
      for (const { version, code } of versionsOf(each)) {
        const found = await store.reports.findVersion(code);
        const requested = await store.people.findSessionVersion(code, built.ref(user), 1);
        if (found === undefined || requested === undefined) throw new Error("A version is missing.");
        expect(mayRead(requested)).toBe(readsVersion(world, user, report, version));
        expect(mayReadAsItem(standing, found)).toBe(readsReport(world, user, report, version));
        const isMember = roleIn(world, user, report.workspace) !== undefined;
        // The API shows callers only their own workspaces.
        expect(mayReadItem(built.caller(user), found)).toBe(isMember && readsReport(world, user, report, version));
        expect(isForAnyone(found.version.visibility)).toBe(version.visibility === "public");
        expect(isPublic(found)).toBe(version.visibility === "public" && report.visibility === "public");
      }
    }
  }

  /** Checks who sees and who sets the pictures of versions. */
  async function checkThumbnails(world: World, built: Built, user: number): Promise<void> {
    const caller = built.caller(user);
    const { find, set } = createThumbnails({ store: shared.store, events: createLocalEvents(), clock });
    const succeeds = (call: Promise<unknown>) =>
      call.then(
        () => true,
        (error: unknown) => (error instanceof Failure && error.kind === "NotFound" ? false : String(error)),
      );
    for (const each of built.reports) {
      const { report } = each;
      const isMember = roleIn(world, user, report.workspace) !== undefined;
      const mayPublish = isMember && readsReport(world, user, report);
      for (const { version, code } of versionsOf(each)) {
        const mayRead = isMember && readsVersion(world, user, report, version);
        expect(await succeeds(find(caller, code))).toBe(mayRead);
        expect(await succeeds(set(caller, code, OTHER_PICTURE))).toBe(mayRead && mayPublish);
      }
    }
  }

  test("lets the same people read the same reports in every query and on every link", async () => {
    await fc.assert(
      fc.asyncProperty(anyWorld, async (world) => {
        const built = await build(world);
        for (const user of USERS) {
          for (const membership of built.caller(user).memberships) {
            const workspace = WORKSPACES.findIndex((each) => built.workspaceId(each) === membership.id);
            await checkQueries(world, built, user, membership, workspace);
          }
          await checkLinks(world, built, user);
          await checkThumbnails(world, built, user);
        }
      }),
      { numRuns: ROLES.length + runsOf(10), examples: ROLES.map((role) => [worldOfEveryCombination(role)]) },
    );
  });
});
