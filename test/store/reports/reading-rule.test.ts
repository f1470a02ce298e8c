import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import {
  isForAnyone,
  isPublic,
  mayRead,
  mayReadAsItem,
  mayReadItem,
  mayReadVersion,
} from "../../../src/domain/model/access.ts";
import { type Caller, type Membership, ROLES, SCOPES } from "../../../src/domain/model/entities.ts";
import { Failure } from "../../../src/domain/model/failure.ts";
import { ALL_ORGANIZATIONS } from "../../../src/domain/sharing/ports.ts";
import { createService as createThumbnails } from "../../../src/domain/thumbnails/service.ts";
import { createLocalEvents } from "../../../src/events/local.ts";
import { showCurrentVersion } from "../../../src/store/reports/current-version.ts";
import { pngOf, webpOf } from "../../domain/thumbnails/images.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { IS_EVERYTHING, runsOf } from "../../support/runs.ts";
import { clock } from "../../support/service.ts";
import { buildPublication, openTestStore, type TestStore } from "../support.ts";
import {
  anyWorld,
  currentOf,
  findsReport,
  findsVersion,
  isMember,
  listsReport,
  type Report,
  readsReport,
  readsVersion,
  roleIn,
  USERS,
  WORKSPACES,
  type World,
  worldOfEveryCombination,
} from "./reading-world.ts";

const PICTURE = webpOf().toString("base64");
const OTHER_PICTURE = pngOf().toString("base64");

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
    const emailOf = (user: number) => `${userId(user)}@example.org`;
    const { rows } = shared;
    const times = { created_at: 1, updated_at: 1 };
    const users = USERS.map((user) => ({
      id: userId(user),
      email: emailOf(user),
      email_verified: Number(world.verified[user]),
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
        verifiedEmail: world.verified[user] ? emailOf(user) : null,
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
      const published = await publishAll(report, name, userId, workspaceId(report.workspace));
      reports.push({ report, ...published });
      const organizationId = (organization: number) => workspaceId(USERS.length + organization);
      await share({ ...published, report, userId, emailOf, organizationId });
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

  /** Stores with whom a report and its versions are shared. */
  async function share(shares: {
    report: Report;
    itemId: number;
    codes: string[];
    name: string | undefined;
    userId(user: number): string;
    emailOf(user: number): string;
    organizationId(organization: number): string;
  }) {
    const { report, itemId, userId, emailOf, organizationId } = shares;
    const { rows } = shared;
    const idOf = (organization: number | "all" | undefined) =>
      organization === undefined ? null : organization === "all" ? ALL_ORGANIZATIONS : organizationId(organization);
    const people = (code: string | null, users: readonly number[]) =>
      users.map((user) => ({
        ...{ id: crypto.randomUUID(), item_id: itemId, code, email: emailOf(user) },
        ...{ sharer_id: userId(report.maker), created_at: 1 },
      }));
    await rows
      .updateTable("items")
      .set({ organization_id: idOf(report.organization) })
      .where("id", "=", itemId)
      .execute();
    const named = people(null, report.people);
    for (const { version, code } of versionsOf(shares)) {
      const organization_id = idOf(version.organization);
      await rows.updateTable("versions").set({ organization_id }).where("code", "=", code).execute();
      named.push(...people(code, version.people));
    }
    if (named.length > 0) await rows.insertInto("shared_people").values(named).execute();
  }

  type Built = Awaited<ReturnType<typeof build>>;
  type BuiltReport = Built["reports"][number];

  const versionsOf = ({ report, codes }: Pick<BuiltReport, "report" | "codes">) =>
    (report.isNamed ? report.versions : [currentOf(report)]).map((version, n) => ({ version, code: codes[n] ?? "" }));

  /** Checks what every query of the store returns to a member of a workspace. */
  async function checkQueries(world: World, built: Built, user: number, membership: Membership, workspace: number) {
    const { store } = shared;
    const reader = { userId: built.caller(user).userId, role: membership.role };
    const own = built.reports.filter(({ report }) => report.workspace === workspace);
    const readable = own.filter(({ report }) => listsReport(world, user, report)).map(({ itemId }) => itemId);
    const listed = [];
    for (const kind of ["group", "report"] as const) {
      const page = { userId: reader.userId, membership, kind, beforeId: undefined, limit: 1_000 };
      listed.push(...(await store.reports.listItems(page)).map(({ id }) => id));
    }
    expect(listed.toSorted((a, b) => a - b)).toEqual(readable);
    const taxonomy = await store.cabinet.readTaxonomy({ workspaceId: membership.id, reader });
    expect(taxonomy.itemCount).toBe(readable.length);
    for (const { itemId, name } of own) {
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
      const caller = built.caller(user);
      const reader = { ...caller, role: caller.memberships.find(({ id }) => id === workspaceId)?.role ?? null };
      const page = { itemId: each.itemId, beforeNo: undefined, limit: 100 };
      const listed = await store.reports.listReadableVersions({ ...page, reader });
      const allowed = versionsOf(each).filter(({ version }) => readsVersion(world, user, report, version));
      expect(listed.map(({ code }) => code).toReversed()).toEqual(allowed.map(({ code }) => code));
      const inReport = await store.reports.listVersions({ ...page, person: caller });
      for (const one of versionsOf(each)) {
        const found = await checkVersion({ world, built, user, report, ...one }, { workspaceId, itemId: each.itemId });
        expect(inReport.find(({ code }) => code === one.code)?.sharing).toEqual(found.sharing);
      }
    }
  }

  interface ShownVersion {
    world: World;
    built: Built;
    user: number;
    report: Report;
    version: Report["versions"][number];
    code: string;
  }

  /** Checks what the links of one version show. Returns it as it is found for the user. */
  async function checkVersion(shown: ShownVersion, place: { workspaceId: string; itemId: number }) {
    const { world, built, user, report, version, code } = shown;
    const { store } = shared;
    const caller = built.caller(user);
    const standings = await store.people.findStandings({ ...place, code }, USERS.map(built.ref), 1);
    const standing = standings.find(({ ref }) => ref === built.ref(user));
    const found = await store.reports.findVersion(code, caller);
    const requested = await store.people.findSessionVersion(code, built.ref(user), 1);
    if (standing === undefined || found === undefined || requested === undefined) throw new Error("It is missing.");
    expect(mayRead(requested)).toBe(readsVersion(world, user, report, version));
    expect(mayReadAsItem(standing, found)).toBe(readsReport(world, user, report, version));
    expect(mayReadItem(caller, found)).toBe(findsReport(world, user, report, version));
    expect(mayReadVersion(caller, found)).toBe(findsVersion(world, user, report, version));
    expect(isForAnyone(found.version.visibility)).toBe(version.visibility === "public");
    expect(isPublic(found)).toBe(version.visibility === "public" && report.visibility === "public");
    return found;
  }

  /** Checks who sees and who sets the pictures of versions. */
  async function checkThumbnails(world: World, built: Built, user: number): Promise<void> {
    const caller = built.caller(user);
    const { find, set } = createThumbnails({ store: shared.store, events: createLocalEvents(), clock });
    const outcome = (call: Promise<unknown>) =>
      call.then(
        () => "done",
        (error: unknown) => (error instanceof Failure ? error.kind : String(error)),
      );
    for (const each of built.reports) {
      const { report } = each;
      for (const { version, code } of versionsOf(each)) {
        const mayRead = findsVersion(world, user, report, version);
        expect(await outcome(find(caller, code))).toBe(mayRead ? "done" : "NotFound");
        expect(await outcome(set(caller, code, OTHER_PICTURE))).toBe(
          mayRead ? settingBy(world, user, report) : "NotFound",
        );
      }
    }
  }

  /** Says what happens when a user sets the picture of a version that they may read. */
  function settingBy(world: World, user: number, report: Report) {
    if (isMember(world, user, report) && listsReport(world, user, report)) return "done";
    return findsReport(world, user, report) ? "Forbidden" : "NotFound";
  }

  test("lets the same people read the same reports in every query and on every link", async () => {
    const roles = engine === "sqlite" || IS_EVERYTHING ? ROLES : ROLES.slice(-1);
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
      { numRuns: roles.length + runsOf(6), examples: roles.map((role) => [worldOfEveryCombination(role)]) },
    );
  });
});
