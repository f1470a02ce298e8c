import type { Role, Visibility } from "../../../../../src/domain/model/entities.ts";

/** A workspace: that of a person, or an organization. */
export type Place = { person: number; organization?: undefined } | { organization: number; person?: undefined };

/** With whom something is shared. People and organizations are numbers. */
interface Shares {
  visibility: Visibility;
  /** The organization with which a person shares it; "all" for all organizations of that person. */
  organization: number | "all";
  /** Those with whom it is shared by name. */
  people: Set<number>;
}

export interface Version extends Omit<Shares, "organization"> {
  code: string;
  maker: number;
  /** Undefined if the report says it. */
  organization: number | "all" | undefined;
  /** How the report was shared when this version was deleted; undefined unless it is in the trash. */
  deletedUnder: Pick<Shares, "visibility" | "organization"> | undefined;
}

export interface Report extends Shares {
  /** Undefined for an unnamed report. */
  name: string | undefined;
  place: Place;
  maker: number;
  versions: Version[];
  /** The code of the current version. */
  current: string;
  isDeleted: boolean;
}

export interface GuestLink {
  report: Report;
  /** The version that the link stays on; undefined if it follows the report. */
  code: string | undefined;
  /** Milliseconds since 1970; undefined for a link that doesn't expire. */
  expiresAt: number | undefined;
  isRevoked: boolean;
  /** Whether sites that preview the link learn the title. */
  hasPreview: boolean;
  /** The origins whose pages may frame the link. */
  embedOrigins: readonly string[];
}

/** Comments on a version of a report. */
export interface Thread {
  id: string;
  report: Report;
  version: Version;
  /** Whether its version was deleted when fewer people could read that than the report. */
  isWithheld: boolean;
}

export interface World {
  /** The roles of each person in each organization. */
  roles: (Role | undefined)[][];
  reports: Report[];
  threads: Thread[];
}

const roleIn = ({ roles }: World, person: number, place: Place): Role | undefined =>
  place.organization === undefined
    ? place.person === person
      ? "owner"
      : undefined
    : roles[person]?.[place.organization];

export const isMember = (world: World, person: number, { place }: Report) => roleIn(world, person, place) !== undefined;

/** Returns the versions that are not in the trash. */
export const livingVersions = ({ versions }: Report) =>
  versions.filter(({ deletedUnder }) => deletedUnder === undefined);

const isLiving = (report: Report, version: Version) =>
  !report.isDeleted && version.deletedUnder === undefined && report.versions.includes(version);

export function currentOf(report: Report): Version {
  const current = livingVersions(report).find(({ code }) => code === report.current);
  if (current === undefined) throw new Error("A report has no current version.");
  return current;
}

/** Says whether the members of its own workspace see something, because of their role or because they made it. */
function isForMember(
  world: World,
  person: number,
  subject: { place: Place; visibility: Visibility; makers: number[] },
) {
  const role = roleIn(world, person, subject.place);
  if (role === undefined) return false;
  return role !== "member" || subject.visibility !== "private" || subject.makers.includes(person);
}

/** Says whether something is shared with a person from elsewhere: by name, or by a colleague. */
function isForPerson({ roles }: World, person: number, place: Place, { visibility, organization, people }: Shares) {
  if (people.has(person)) return true;
  if (visibility !== "org" || place.person === undefined) return false;
  const own = roles[place.person] ?? [];
  return own.some(
    (role, number) =>
      role !== undefined &&
      roles[person]?.[number] !== undefined &&
      (organization === "all" || organization === number),
  );
}

const sharesOf = (report: Report, version: Version): Shares => ({
  visibility: version.visibility,
  organization: version.organization ?? report.organization,
  people: new Set([...report.people, ...version.people]),
});

const versionFor = (report: Report, version: Version) => ({
  place: report.place,
  visibility: version.visibility,
  makers: [report.maker, version.maker],
});

const reportFor = ({ place, visibility, maker }: Report) => ({ place, visibility, makers: [maker] });

export const isVersionPublic = (report: Report, version: Version) =>
  isLiving(report, version) && version.visibility === "public";

export const isReportPublic = (report: Report) =>
  !report.isDeleted && report.visibility === "public" && isVersionPublic(report, currentOf(report));

/** Says whether the API shows a person a version, which is theirs or shared with them, itself or as part of its report. */
export const findsVersion = (world: World, person: number, report: Report, version: Version) =>
  isLiving(report, version) &&
  (isForMember(world, person, versionFor(report, version)) ||
    isForPerson(world, person, report.place, sharesOf(report, version)) ||
    (version.visibility === "public" && isForPerson(world, person, report.place, report)));

/** Says whether a version's link opens for a person. */
export const opensVersion = (world: World, person: number, report: Report, version: Version) =>
  isVersionPublic(report, version) || findsVersion(world, person, report, version);

/** Says whether the API shows a person a report with its current version. */
export function findsReport(world: World, person: number, report: Report): boolean {
  if (report.isDeleted) return false;
  const isShown = isForMember(world, person, reportFor(report)) || isForPerson(world, person, report.place, report);
  return isShown && opensVersion(world, person, report, currentOf(report));
}

/** Says whether a report's live link opens for a person. */
export const opensReport = (world: World, person: number, report: Report) =>
  !report.isDeleted &&
  (report.visibility === "public" || findsReport(world, person, report)) &&
  opensVersion(world, person, report, currentOf(report));

/** Says whether lists and the search of its workspace show a report to a person. */
export const listsReport = (world: World, person: number, report: Report) =>
  !report.isDeleted &&
  isForMember(world, person, reportFor(report)) &&
  isForMember(world, person, versionFor(report, currentOf(report)));

/** Says whether a report is shared with someone from outside its workspace. */
export const sharesReport = (world: World, person: number, report: Report) =>
  !report.isDeleted && !isMember(world, person, report) && findsReport(world, person, report);

/** Says whether a person has one of the roles that govern a workspace. */
export function governs(world: World, person: number, place: Place): boolean {
  const role = roleIn(world, person, place);
  return role === "owner" || role === "admin";
}

/** Says whether a person may delete something and change who reads it. */
const controls = (world: World, person: number, place: Place, makers: readonly number[]): boolean =>
  governs(world, person, place) || (roleIn(world, person, place) !== undefined && makers.includes(person));

/** The statuses with which the API tells those who control something what it shows to no one else. */
const controlStatus = (isFound: boolean, isControlled: boolean) => (isFound ? (isControlled ? 200 : 403) : 404);

/** Returns the status of a question that only those answer who control a report. */
export const reportStatus = (world: World, person: number, report: Report) =>
  controlStatus(findsReport(world, person, report), controls(world, person, report.place, [report.maker]));

/** Returns the status of a question that only those answer who control a version. */
export const versionStatus = (world: World, person: number, report: Report, version: Version) =>
  controlStatus(
    findsVersion(world, person, report, version),
    controls(world, person, report.place, [report.maker, version.maker]),
  );

/** Says whether a person sees a thread, if they ask about its report, or about one of its versions. */
export function seesThread(world: World, person: number, thread: Thread, asked: Version | undefined): boolean {
  const { report, version, isWithheld } = thread;
  if (isWithheld && !controls(world, person, report.place, [report.maker])) return false;
  const isDeleted = !isLiving(report, version);
  if (findsReport(world, person, report)) return isDeleted || opensVersion(world, person, report, version);
  return version === asked && findsVersion(world, person, report, version);
}

/** Deletes one version in the model. */
export function deleteVersion({ threads }: World, report: Report, version: Version): void {
  const { visibility, organization } = report;
  version.deletedUnder = { visibility, organization };
  const isNarrower =
    version.visibility !== visibility || (version.organization !== undefined && version.organization !== organization);
  for (const thread of threads) if (thread.version === version) thread.isWithheld = isNarrower;
}

/** Returns the entries of the trash that a person can restore, by their codes. */
export function trashOf(world: World, person: number, place: Place): string[] {
  const mayRestore = (...makers: number[]) => governs(world, person, place) || makers.includes(person);
  return world.reports
    .filter((report) => samePlace(report.place, place))
    .flatMap((report) => [
      ...(report.isDeleted && mayRestore(report.maker) ? [report.current] : []),
      ...report.versions
        .filter(({ deletedUnder, maker }) => deletedUnder !== undefined && mayRestore(report.maker, maker))
        .map(({ code }) => code),
    ]);
}

export const samePlace = (one: Place, other: Place) =>
  one.person === other.person && one.organization === other.organization;

/** Returns the version that a guest link shows; undefined if it doesn't open. */
export function shownTo({ report, code, expiresAt, isRevoked }: GuestLink): Version | undefined {
  if (isRevoked || (expiresAt !== undefined && expiresAt <= Date.now()) || report.isDeleted) return undefined;
  return livingVersions(report).find((version) => version.code === (code ?? report.current));
}

/** Says whether a ticket that a guest link gave opens a version: one that follows a report opens what it has shown. */
export const admitsGuest = (link: GuestLink, version: Version) =>
  shownTo(link) !== undefined && isLiving(link.report, version) && (link.code ?? version.code) === version.code;
