import { z } from "zod";
import { inboxRoute } from "../../../../../src/contract/reviews/inbox.ts";
import { PASS_HEADER } from "../../../../../src/hosts/live/messages.ts";
import { someAddress } from "../../../../support/sessions.ts";
import { ask, bearerOf, callTool, type Door, liveUrl, type Question, readerIn, verdict } from "./doors.ts";
import * as model from "./model.ts";

const listed = z.object({ threads: z.array(z.object({ id: z.string() })) });
const counted = z.object({ open: z.int(), addressed: z.int(), resolved: z.int() });

/** The report in question, or its version. */
interface Asked {
  query: string;
  version: model.Version | undefined;
  isFound: boolean;
}

function drawAsked({ scene: { world }, draw, person, report, version }: Question): Asked {
  const { name } = report;
  if (name !== undefined && draw.onceIn(2)) {
    return { query: `name=${name}`, version: undefined, isFound: model.findsReport(world, person, report) };
  }
  return {
    query: `code=${version.code}`,
    version,
    isFound: model.findsVersion(world, person, report, version),
  };
}

const expectedThreads = ({ scene: { world }, person, report }: Question, version: model.Version | undefined) =>
  world.threads.filter((each) => each.report === report && model.seesThread(world, person, each, version));

const idsOf = (threads: readonly { id: string }[]) => threads.map(({ id }) => id).toSorted();

const request = (question: Question, path: string) =>
  ask(`${question.scene.service.baseUrl}/api/${path}`, bearerOf(readerIn(question)));

/** Asks about the comments of a report and compares what both say about them. */
const comments =
  <Told>(
    path: (query: string) => string,
    read: (answer: unknown) => Told,
    expected: (threads: readonly model.Thread[]) => Told,
  ): Door =>
  async (question) => {
    const { query, version, isFound } = drawAsked(question);
    const response = await request(question, path(query));
    return {
      expected: isFound && expected(expectedThreads(question, version)),
      observed: response.status === 200 ? read(JSON.parse(response.text)) : verdict(response),
    };
  };

const listIds = (answer: unknown) => idsOf(listed.parse(answer).threads);

/** Chooses a thread, mostly of the report in question. */
const drawThread = ({ scene: { world }, report, draw }: Question): model.Thread | undefined =>
  draw.one(world.threads.filter((thread) => thread.report === report)) ?? draw.one(world.threads);

const seesOwn = ({ scene: { world }, person }: Question, thread: model.Thread) =>
  model.seesThread(world, person, thread, thread.version);

/** Another version of the report in question. */
const drawOther = ({ report, version, draw }: Question): model.Version | undefined =>
  draw.one(report.versions.filter((each) => each !== version));

/** The ways to comments and to what changed. */
export const REVIEW_DOORS: Readonly<Record<string, Door>> = {
  "comments of a report": comments((query) => `comments?${query}&state=all&limit=200`, listIds, idsOf),
  "changed comments of a report": comments((query) => `comments/wait?${query}&since=0&seconds=0`, listIds, idsOf),
  "counts of comments": comments(
    (query) => `comments/counts?${query}`,
    (answer) => Object.values(counted.parse(answer)).reduce((sum, each) => sum + each, 0),
    ({ length }) => length,
  ),
  "people to mention": comments(
    (query) => `comments/people?${query}`,
    () => true,
    () => true,
  ),
  "thread of comments": async (question) => {
    const thread = drawThread(question);
    if (thread === undefined) return undefined;
    const response = await request(question, `comments/thread?id=${thread.id}`);
    return { expected: seesOwn(question, thread), observed: verdict(response) };
  },
  "thread that someone resolves": async (question) => {
    const thread = drawThread(question);
    if (thread === undefined) return undefined;
    const headers = { ...bearerOf(readerIn(question)), "Content-Type": "application/json" };
    const init = { method: "POST", body: JSON.stringify({ id: thread.id }) };
    const response = await ask(`${question.scene.service.baseUrl}/api/comments/resolve`, headers, init);
    return { expected: seesOwn(question, thread), observed: verdict(response) };
  },
  inbox: async (question) => {
    const { world } = question.scene;
    const client = question.scene.service.client(readerIn(question).token);
    const { entries } = await client.call(inboxRoute, { query: { limit: "200" } });
    const threads = world.threads.filter(({ id }) => entries.some((entry) => entry.thread_id === id));
    const isKnown = entries.every(({ thread_id: id }) => threads.some((thread) => thread.id === id));
    return { expected: true, observed: isKnown && threads.every((thread) => seesOwn(question, thread)) };
  },
  "changes between versions": async (question) => {
    const { scene, person, report, version } = question;
    const other = drawOther(question);
    if (other === undefined) return undefined;
    const response = await request(question, `changes?code=${version.code}&from=${other.code}`);
    const finds = (each: model.Version) => model.findsVersion(scene.world, person, report, each);
    return { expected: finds(version) && finds(other), observed: verdict(response) };
  },
  "changes of a public live link": async (question) => {
    const { scene, report, version } = question;
    if (report.name === undefined) return undefined;
    const response = await ask(`${liveUrl(scene.service.contentUrl, question)}~changes?list&from=${version.code}`);
    return {
      expected: model.isReportPublic(report) && model.isVersionPublic(report, version),
      observed: verdict(response),
    };
  },
  "changes of a private live link": async (question) => {
    const { scene, person, report, version } = question;
    if (report.name === undefined) return undefined;
    const headers = { Cookie: readerIn(question).cookie };
    const response = await ask(`${scene.service.baseUrl}/${report.name}/~changes?list&from=${version.code}`, headers);
    return {
      expected:
        model.opensReport(scene.world, person, report) && model.opensVersion(scene.world, person, report, version),
      observed: verdict(response),
    };
  },
  "changes of a guest link": async (question) => {
    const { scene, draw, report, version } = question;
    const link = draw.one(scene.links.filter((each) => each.report === report));
    if (link === undefined) return undefined;
    const isProven = draw.onceIn(2);
    const headers = {
      ...someAddress(),
      ...(isProven && link.pass !== undefined ? { [PASS_HEADER]: link.pass } : {}),
    };
    const response = await ask(`${link.url}~changes?list&from=${version.code}`, headers);
    // Which earlier versions a guest has seen is for other tests: none opens what the link doesn't.
    const mayOpen = (isProven || link.pass === undefined) && model.admitsGuest(link, version);
    return { expected: false, observed: mayOpen ? false : verdict(response) };
  },
  "comments of a guest link": async (question) => {
    const { scene, draw, report } = question;
    const link = draw.one(scene.links.filter((each) => each.report === report)) ?? draw.one(scene.links);
    if (link === undefined) return undefined;
    const isProven = draw.onceIn(2);
    const headers = { ...someAddress(), ...(isProven && link.pass !== undefined ? { [PASS_HEADER]: link.pass } : {}) };
    const response = await ask(`${link.url}~comments`, headers);
    const mayOpen = model.shownTo(link) !== undefined && (isProven || link.pass === undefined);
    if (!mayOpen || !link.takesComments) return { expected: false, observed: verdict(response) };
    const shown = listIds(JSON.parse(response.text));
    const allowed = scene.world.threads.filter(
      (thread) => thread.report === link.report && !thread.isWithheld && model.admitsGuest(link, thread.version),
    );
    // Which versions a link has shown is for other tests: it shows nothing of those that it doesn't open.
    return { expected: shown, observed: shown.filter((id) => allowed.some((thread) => thread.id === id)) };
  },
  "MCP, comments": async (question) => {
    const { scene, person, report, draw } = question;
    if (report.name === undefined || !draw.onceIn(2)) return undefined;
    const args = { report: report.name, state: "all", limit: 100 };
    const { result, text } = await callTool(question, "list_comments", args);
    const isFound = model.findsReport(scene.world, person, report);
    // The tool suggests the version that is shared with the person without its report.
    const isSuggested = model
      .livingVersions(report)
      .some((version) => model.findsVersion(scene.world, person, report, version));
    const refused = isSuggested ? false : verdict({ status: 404, text });
    return {
      expected: isFound && idsOf(expectedThreads(question, undefined)),
      observed:
        result.isError === true
          ? refused
          : (result.structuredContent?.threads ?? []).map(({ thread }) => thread).toSorted(),
    };
  },
};
