import { addMemberRoute } from "../../../../../src/contract/people/members.ts";
import { itemRoute } from "../../../../../src/contract/reports/details.ts";
import {
  commentThreadRoute,
  createThreadRoute,
  deleteCommentRoute,
} from "../../../../../src/contract/reviews/threads.ts";
import { shareWithOrganizationRoute } from "../../../../../src/contract/sharing/organization.ts";
import { shareWithPeopleRoute } from "../../../../../src/contract/sharing/people.ts";
import {
  acceptRequestRoute,
  accessRequestsRoute,
  requestAccessRoute,
} from "../../../../../src/contract/sharing/requests.ts";
import { setThumbnailRoute } from "../../../../../src/contract/thumbnails/thumbnails.ts";
import { purgeTrashRoute, restoreTrashRoute, trashRoute } from "../../../../../src/contract/trash/trash.ts";
import { VISIBILITIES } from "../../../../../src/domain/model/entities.ts";
import { buildUpload, uniqueName } from "../../../../support/service.ts";
import { until } from "../../../../support/until.ts";
import type { Draw } from "../../draw.ts";
import {
  deleteVersion,
  findsReport,
  findsVersion,
  listsReport,
  livingVersions,
  type Place,
  type Report,
  type Version,
} from "./model.ts";
import {
  createLink,
  GUARDS,
  governorOf,
  isChanging,
  ORGANIZATIONS,
  readerOf,
  type Scene,
  slugOf,
  tokenOf,
} from "./scene.ts";

/** One change, through the API and in the model. Returns the report that it was about; undefined if nothing could be done. */
type Step = (scene: Scene, draw: Draw) => Promise<Report | undefined>;

/** Reports that live at once, so that lists have one page. */
const MOST_REPORTS = 40;
/** Threads at once, so that lists and inboxes have one page. */
const MOST_THREADS = 100;
const REQUESTS_PER_PERSON = 10;
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The title of the version with a code cannot be known before it is published, so titles have a number. */
let lastTitle = 0;

const livingReports = ({ world }: Scene) => world.reports.filter(({ isDeleted }) => !isDeleted);
const namedReports = (scene: Scene) => livingReports(scene).filter(({ name }) => name !== undefined);

const everyPlace = ({ readers }: Scene): Place[] => [
  ...readers.map((_, person) => ({ person })),
  ...ORGANIZATIONS.map((organization) => ({ organization })),
];

async function upload(
  scene: Scene,
  maker: number,
  { name, place, visibility }: Pick<Report, "name" | "place"> & Partial<Pick<Report, "visibility">>,
): Promise<string> {
  const { token } = readerOf(scene, maker);
  const title = `Hidden ${++lastTitle}`;
  const content = `<!doctype html><title>${title}</title><p>Hidden words`;
  const { code } = await scene.act.publish(token, {
    ...buildUpload({ files: [{ path: "index.html", content }], owner: slugOf(scene, place), title }),
    ...(name === undefined ? {} : { name }),
    ...(visibility === undefined ? {} : { visibility }),
  });
  await scene.service.client(token).call(setThumbnailRoute, { body: { code, image: PIXEL } });
  return code;
}

const newVersion = (code: string, maker: number, visibility: Report["visibility"]): Version => ({
  ...{ code, maker, visibility, organization: undefined, people: new Set(), deletedUnder: undefined },
});

const publishReport: Step = async (scene, draw) => {
  const place = draw.one(everyPlace(scene));
  if (place === undefined || livingReports(scene).length >= MOST_REPORTS) return undefined;
  const members = scene.readers.flatMap((_, person) =>
    place.person === person || (place.organization !== undefined && scene.world.roles[person]?.[place.organization])
      ? [person]
      : [],
  );
  const maker = draw.one(members) ?? governorOf(place);
  const visibility = draw.one(VISIBILITIES) ?? "private";
  const name = draw.onceIn(4) ? undefined : uniqueName("model");
  const code = await upload(scene, maker, { name, place, visibility });
  const versions = [newVersion(code, maker, visibility)];
  const report: Report = {
    ...{ name, place, maker, visibility, organization: "all", people: new Set() },
    ...{ versions, current: code, isDeleted: false },
  };
  scene.world.reports.push(report);
  return report;
};

const publishVersion: Step = async (scene, draw) => {
  const report = draw.one(namedReports(scene));
  if (report === undefined) return undefined;
  const { world, readers } = scene;
  const publishers = readers.flatMap((_, person) => (listsReport(world, person, report) ? [person] : []));
  const maker = draw.one(publishers) ?? governorOf(report.place);
  const code = await upload(scene, maker, report);
  report.versions.push(newVersion(code, maker, report.visibility));
  report.current = code;
  return report;
};

/** Chooses a report as a whole, or one of its versions. */
function drawSubject(scene: Scene, draw: Draw) {
  const report = draw.one(livingReports(scene));
  const version = report && draw.one(livingVersions(report));
  if (report === undefined || version === undefined) return undefined;
  const { name } = report;
  const isWhole = name === undefined || draw.onceIn(2);
  const reference = name !== undefined && isWhole ? { name } : { code: version.code };
  return { report, version, isWhole, reference, token: tokenOf(scene, report.place) };
}

type Subject = NonNullable<ReturnType<typeof drawSubject>>;

/** Shares a report with all its versions, or one version, in the model. */
function share(
  { report, version, isWhole }: Subject,
  visibility: Report["visibility"],
  organization: Report["organization"],
): void {
  if (!isWhole) {
    version.visibility = visibility;
    version.organization = visibility === "org" ? organization : undefined;
    return;
  }
  report.visibility = visibility;
  report.organization = organization;
  for (const each of livingVersions(report)) {
    each.visibility = visibility;
    each.organization = undefined;
  }
}

const setVisibility: Step = async (scene, draw) => {
  const subject = drawSubject(scene, draw);
  if (subject === undefined) return undefined;
  const visibility = draw.onceIn(2) ? "public" : "private";
  await scene.act.setVisibility(subject.token, { ...subject.reference, visibility });
  share(subject, visibility, "all");
  return subject.report;
};

const shareWithOrganization: Step = async (scene, draw) => {
  const subject = drawSubject(scene, draw);
  if (subject === undefined) return undefined;
  const { place } = subject.report;
  const own = place.person === undefined ? [] : (scene.world.roles[place.person] ?? []);
  const chosen = draw.one(ORGANIZATIONS.filter((organization) => own[organization] !== undefined && draw.onceIn(2)));
  const isShared = !draw.onceIn(3);
  const org = chosen === undefined ? {} : { org: scene.organizations[chosen] ?? "" };
  const body = { ...subject.reference, ...org, shared: isShared };
  await scene.service.client(subject.token).call(shareWithOrganizationRoute, { body });
  share(subject, isShared ? "org" : "private", isShared ? (chosen ?? "all") : "all");
  return subject.report;
};

const shareWithPeople: Step = async (scene, draw) => {
  const subject = drawSubject(scene, draw);
  const person = draw.one(scene.readers.map((_, number) => number));
  if (subject === undefined || person === undefined) return undefined;
  const { people } = subject.isWhole ? subject.report : subject.version;
  const isAdded = !people.has(person) || draw.onceIn(4);
  const { email } = readerOf(scene, person);
  const body = { ...subject.reference, ...(isAdded ? { add: [email] } : { remove: [email] }) };
  await scene.service.client(subject.token).call(shareWithPeopleRoute, { body });
  if (isAdded) people.add(person);
  else people.delete(person);
  return subject.report;
};

const acceptRequest: Step = async (scene, draw) => {
  const report = draw.one(namedReports(scene));
  const person = draw.one(scene.readers.map((_, number) => number));
  if (report?.name === undefined || person === undefined || findsReport(scene.world, person, report)) return undefined;
  const asked = scene.requests[person] ?? 0;
  if (asked >= REQUESTS_PER_PERSON) return undefined;
  scene.requests[person] = asked + 1;
  const { token, email } = readerOf(scene, person);
  const governor = scene.service.client(tokenOf(scene, report.place));
  const { name } = report;
  await scene.service.client(token).call(requestAccessRoute, { body: { name } });
  const request = await until(async () => {
    const { requests } = await governor.call(accessRequestsRoute);
    return requests.find((each) => each.name === name && each.email === email);
  });
  await governor.call(acceptRequestRoute, { body: { id: request.id } });
  report.people.add(person);
  return report;
};

/** Learns which version is current, which doesn't decide who may read. */
async function learnCurrent(scene: Scene, { name, place }: Report): Promise<string | undefined> {
  if (name === undefined) return undefined;
  return (await scene.service.client(tokenOf(scene, place)).call(itemRoute, { query: { name } })).code;
}

const deleteSomething: Step = async (scene, draw) => {
  const subject = drawSubject(scene, draw);
  if (subject === undefined) return undefined;
  const { report, version, token } = subject;
  const { name } = report;
  if (name !== undefined && subject.isWhole) await scene.act.deleteGroup(token, name);
  else await scene.act.deleteCode(token, version.code);
  const isLast = livingVersions(report).length === 1;
  if (subject.isWhole || isLast) report.isDeleted = true;
  else {
    deleteVersion(scene.world, report, version);
    report.current = (await learnCurrent(scene, report)) ?? report.current;
  }
  return report;
};

/** Chooses an entry of the trash. Returns its ID with what it holds. */
async function drawTrashed(scene: Scene, draw: Draw) {
  const entries = scene.world.reports.flatMap((report) => [
    ...(report.isDeleted ? [{ report, version: undefined, code: report.current }] : []),
    ...report.versions
      .filter(({ deletedUnder }) => deletedUnder !== undefined && !report.isDeleted)
      .map((version) => ({ report, version, code: version.code })),
  ]);
  const entry = draw.one(entries);
  if (entry === undefined) return undefined;
  const api = scene.service.client(tokenOf(scene, entry.report.place));
  const query = { owner: slugOf(scene, entry.report.place), code: entry.code };
  const { entries: listed } = await api.call(trashRoute, { query });
  const id = listed[0]?.id;
  if (id === undefined) throw new Error(`The trash doesn't have ${entry.code}.`);
  return { ...entry, id, api };
}

const restore: Step = async (scene, draw) => {
  const trashed = await drawTrashed(scene, draw);
  if (trashed === undefined) return undefined;
  const { report, version, id, api } = trashed;
  await api.call(restoreTrashRoute, { body: { ids: [id] } });
  if (version?.deletedUnder === undefined) report.isDeleted = false;
  else {
    const { visibility, organization } = version.deletedUnder;
    version.deletedUnder = undefined;
    for (const thread of scene.world.threads) if (thread.version === version) thread.isWithheld = false;
    if (visibility !== report.visibility || organization !== report.organization) {
      version.visibility = "private";
      version.organization = undefined;
    }
  }
  report.current = (await learnCurrent(scene, report)) ?? report.current;
  return report;
};

const purge: Step = async (scene, draw) => {
  if (!draw.onceIn(3)) return undefined;
  const trashed = await drawTrashed(scene, draw);
  if (trashed === undefined) return undefined;
  const { report, version, id, api } = trashed;
  await api.call(purgeTrashRoute, { body: { ids: [id] } });
  const purged = version === undefined ? report.versions : [version];
  scene.purged.push(...purged.map((each) => ({ report, version: each })));
  report.versions = report.versions.filter((each) => !purged.includes(each));
  if (version === undefined) scene.world.reports.splice(scene.world.reports.indexOf(report), 1);
  if (version === undefined) scene.world.threads = scene.world.threads.filter((thread) => thread.report !== report);
  return undefined;
};

const changeMembers: Step = async (scene, draw) => {
  const person = draw.one(scene.readers.map((_, number) => number).filter(isChanging));
  const organization = draw.one(ORGANIZATIONS);
  const roles = person === undefined ? undefined : scene.world.roles[person];
  if (person === undefined || organization === undefined || roles === undefined) return undefined;
  const token = tokenOf(scene, { organization });
  const owner = scene.organizations[organization] ?? "";
  const { slug, userId } = readerOf(scene, person);
  const role = draw.one(["member", "member", "admin", "owner"] as const) ?? "member";
  if (roles[organization] === undefined) {
    await scene.service.client(token).call(addMemberRoute, { body: { owner, user: slug, role } });
    roles[organization] = role;
  } else if (draw.onceIn(2)) {
    await scene.act.removeMember(token, { owner, userId });
    roles[organization] = undefined;
  } else {
    await scene.act.setRole(token, { owner, userId, role });
    roles[organization] = role;
  }
  return draw.one(livingReports(scene).filter((report) => report.place.organization === organization));
};

const addGuestLink: Step = async (scene, draw) => {
  const subject = drawSubject(scene, draw);
  if (subject === undefined) return undefined;
  const { report, isWhole, version } = subject;
  const guard = draw.one(GUARDS) ?? "none";
  const code = isWhole && report.name !== undefined ? undefined : version.code;
  const hasPreview = guard === "none" && draw.onceIn(2);
  const limits = { takesComments: draw.onceIn(2), isEmbedded: draw.onceIn(3), hasPreview };
  scene.links.push(await createLink(scene, { report, code, guard, ...limits }));
  return report;
};

const endGuestLink: Step = async (scene, draw) => {
  const link = draw.one(scene.links.filter(({ isRevoked, report, code }) => !isRevoked && isThere(report, code)));
  if (link === undefined) return undefined;
  const { report, id } = link;
  const token = tokenOf(scene, report.place);
  if (draw.onceIn(3)) {
    link.expiresAt = await scene.guests.expire(token, id);
  } else {
    await scene.guests.revoke(token, id);
    link.isRevoked = true;
  }
  return report;
};

const isThere = (report: Report, code: string | undefined) =>
  !report.isDeleted && (code === undefined || livingVersions(report).some((version) => version.code === code));

const rollBack: Step = async (scene, draw) => {
  const report = draw.one(namedReports(scene));
  const version = report && draw.one(livingVersions(report));
  if (report?.name === undefined || version === undefined) return undefined;
  await scene.act.setLatest(tokenOf(scene, report.place), report.name, version.code);
  report.current = version.code;
  return report;
};

const comment: Step = async (scene, draw) => {
  const report = draw.one(livingReports(scene));
  const version = report && draw.one(livingVersions(report));
  const { world, readers } = scene;
  if (report === undefined || version === undefined || world.threads.length >= MOST_THREADS) return undefined;
  const person = draw.one(readers.flatMap((_, each) => (findsVersion(world, each, report, version) ? [each] : [])));
  if (person === undefined) return undefined;
  const everyone = readers.map(({ slug }) => `@${slug}`).join(" ");
  const body = { code: version.code, text: `Hidden remark for ${everyone}` };
  const { id } = await scene.service.client(readerOf(scene, person).token).call(createThreadRoute, { body });
  world.threads.push({ id, report, version, isWithheld: false });
  return report;
};

const deleteComment: Step = async ({ world, ...scene }, draw) => {
  const thread = draw.one(world.threads.filter(({ report }) => !report.isDeleted));
  if (thread === undefined) return undefined;
  const api = scene.service.client(tokenOf({ world, ...scene }, thread.report.place));
  const { comments } = await api.call(commentThreadRoute, { query: { id: thread.id } });
  await api.call(deleteCommentRoute, { body: { id: comments[0]?.id ?? "" } });
  world.threads.splice(world.threads.indexOf(thread), 1);
  return thread.report;
};

const STEPS: readonly Step[] = [
  ...[publishReport, publishReport, publishReport, publishVersion, publishVersion, rollBack],
  ...[setVisibility, setVisibility, shareWithOrganization, shareWithOrganization, shareWithPeople, shareWithPeople],
  ...[acceptRequest, deleteSomething, deleteSomething, restore, restore, purge, changeMembers, changeMembers],
  ...[addGuestLink, addGuestLink, endGuestLink, comment, comment, comment, deleteComment],
];

/** Makes one random change. Returns its name, and the report that it was about. */
export async function takeStep(scene: Scene, draw: Draw): Promise<{ name: string; report: Report | undefined }> {
  const step = draw.one(STEPS) ?? publishReport;
  return { name: step.name, report: await step(scene, draw) };
}
