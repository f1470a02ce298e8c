import fc from "fast-check";
import { ROLES, type Role, VISIBILITIES, type Visibility } from "../../../src/domain/model/entities.ts";

export const USERS = [0, 1, 2];
const ORGANIZATIONS = [0, 1];
/** One per user, then the organizations. */
export const WORKSPACES = [...USERS, ...ORGANIZATIONS.map((organization) => USERS.length + organization)];

const anyVisibility = fc.constantFrom(...VISIBILITIES);
const anyUser = fc.constantFrom(...USERS);

/** The users that something is shared with by name. */
const anyPeople = fc.uniqueArray(anyUser, { maxLength: 2 });
/** The organization that something is shared with; undefined for all, or for that of the report. */
const anyOrganization = fc.constantFrom(undefined, ...ORGANIZATIONS);

const anyReport = fc.record({
  workspace: fc.constantFrom(...WORKSPACES),
  isNamed: fc.boolean(),
  maker: anyUser,
  visibility: anyVisibility,
  people: anyPeople,
  organization: anyOrganization,
  versions: fc.array(
    fc.record({
      maker: anyUser,
      visibility: anyVisibility,
      people: anyPeople,
      organization: fc.constantFrom("all" as const, undefined, ...ORGANIZATIONS),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  current: fc.nat({ max: 2 }),
});

export const anyWorld = fc.record({
  /** By user and organization. */
  roles: fc.array(fc.array(fc.constantFrom(undefined, "member" as const, ...ROLES), { minLength: 2, maxLength: 2 }), {
    minLength: USERS.length,
    maxLength: USERS.length,
  }),
  /** Whether each user has verified their address. */
  verified: fc.array(fc.boolean(), { minLength: USERS.length, maxLength: USERS.length }),
  reports: fc.array(anyReport, { minLength: 1, maxLength: 12 }),
});

export type World = typeof anyWorld extends fc.Arbitrary<infer Drawn> ? Drawn : never;
export type Report = World["reports"][number];

/** A world whose first organization has a report of every combination that can matter to its first user. */
export const worldOfEveryCombination = (role: Role): World => ({
  roles: [
    [role, undefined],
    ["owner", undefined],
    [undefined, undefined],
  ],
  verified: [true, true, true],
  reports: [true, false].flatMap((isNamed) =>
    [0, 1].flatMap((maker) =>
      VISIBILITIES.flatMap((visibility) =>
        [0, 1].flatMap((versionMaker) =>
          VISIBILITIES.map((versionVisibility) => ({
            workspace: USERS.length,
            isNamed,
            maker,
            visibility,
            people: [],
            organization: undefined,
            versions: [{ maker: versionMaker, visibility: versionVisibility, people: [], organization: undefined }],
            current: 0,
          })),
        ),
      ),
    ),
  ),
});

export const roleIn = ({ roles }: World, user: number, workspace: number): Role | undefined =>
  workspace < USERS.length ? (workspace === user ? "owner" : undefined) : roles[user]?.[workspace - USERS.length];

interface Subject {
  workspace: number;
  visibility: Visibility;
  makers: number[];
  organization: number | undefined;
  people: number[];
}

/** Says whether something is shared with a user by name, or by a colleague, as design.md §9 does. */
function isSharedPersonally(world: World, user: number, subject: Omit<Subject, "makers">) {
  const { workspace, visibility, organization, people } = subject;
  const isOfColleague =
    workspace < USERS.length &&
    ORGANIZATIONS.some(
      (common) =>
        world.roles[user]?.[common] &&
        world.roles[workspace]?.[common] &&
        (organization === undefined || organization === common),
    );
  return (people.includes(user) && world.verified[user] === true) || (visibility === "org" && isOfColleague);
}

/** States the rule of members as design.md §5.8 does, independently of the implementation. */
function readsByTheBook(world: World, user: number, { workspace, visibility, makers }: Subject) {
  const role = roleIn(world, user, workspace);
  switch (visibility) {
    case "public":
      return true;
    case "org":
      return role !== undefined;
    case "private":
      return role === "owner" || role === "admin" || (role === "member" && makers.includes(user));
  }
}

export const currentOf = (report: Report) => {
  const current = report.versions[report.current % report.versions.length];
  if (current === undefined) throw new Error("A report has no version.");
  return current;
};

export type Version = Report["versions"][number];

function subjectOfVersion({ workspace, maker, organization, people }: Report, version: Version): Subject {
  const own = version.organization === "all" ? undefined : (version.organization ?? organization);
  const makers = [maker, version.maker];
  return {
    workspace,
    visibility: version.visibility,
    makers,
    organization: own,
    people: [...people, ...version.people],
  };
}

const subjectOfReport = (report: Report): Subject => ({ ...report, makers: [report.maker] });

/** Says what a member's workspace shows them: what is shared with them personally is listed apart. */
export const listsReport = (world: World, user: number, report: Report) =>
  readsByTheBook(world, user, subjectOfReport(report)) &&
  readsByTheBook(world, user, subjectOfVersion(report, currentOf(report)));

const reads = (world: World, user: number, subject: Subject) =>
  readsByTheBook(world, user, subject) || isSharedPersonally(world, user, subject);

export const readsVersion = (world: World, user: number, report: Report, version: Version) =>
  reads(world, user, subjectOfVersion(report, version));

export const readsReport = (world: World, user: number, report: Report, version = currentOf(report)) =>
  reads(world, user, subjectOfReport(report)) && readsVersion(world, user, report, version);

export const isMember = (world: World, user: number, { workspace }: Report) =>
  roleIn(world, user, workspace) !== undefined;

/** The API shows callers what is theirs or shared with them; public reports of others have links. */
export const findsVersion = (world: World, user: number, report: Report, version: Version) =>
  isMember(world, user, report)
    ? readsVersion(world, user, report, version)
    : isSharedPersonally(world, user, subjectOfVersion(report, version)) || findsReport(world, user, report, version);

export const findsReport = (world: World, user: number, report: Report, version = currentOf(report)) =>
  readsReport(world, user, report, version) &&
  (isMember(world, user, report) || isSharedPersonally(world, user, subjectOfReport(report)));
