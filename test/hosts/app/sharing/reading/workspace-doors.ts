import { z } from "zod";
import { taxonomyRoute } from "../../../../../src/contract/cabinet/cabinet.ts";
import { itemsRoute, largestItemsRoute } from "../../../../../src/contract/search/items.ts";
import { searchRoute } from "../../../../../src/contract/search/search.ts";
import { statusOf } from "../../actions.ts";
import {
  ask,
  bearerOf,
  callTool,
  type Door,
  expectedKeys,
  keysOf,
  liveUrl,
  type Question,
  readerIn,
  verdict,
} from "./doors.ts";
import * as model from "./model.ts";
import { slugOf } from "./scene.ts";

type Client = ReturnType<Question["scene"]["service"]["client"]>;

/** Asks about the workspace of the report in question, which only its members may. */
const ofWorkspace =
  <Told>(
    read: (client: Client, owner: string, question: Question) => Promise<Told>,
    expected: (shown: readonly model.Report[], question: Question) => Told,
  ): Door =>
  async (question) => {
    const { scene, person, report } = question;
    const asked = read(scene.service.client(readerIn(question).token), slugOf(scene, report.place), question);
    if (!model.isMember(scene.world, person, report)) return { expected: 404, observed: await statusOf(asked) };
    const shown = scene.world.reports.filter(
      (each) => model.samePlace(each.place, report.place) && model.listsReport(scene.world, person, each),
    );
    return { expected: expected(shown, question), observed: await asked };
  };

const keysOfReports = (reports: readonly model.Report[]) =>
  keysOf(reports.map(({ name, current }) => ({ name, code: current })));

const nameOrNone = ({ report: { name } }: Question) => name ?? "no-such-report";

const isAsked =
  ({ report }: Question) =>
  (each: model.Report) =>
    each === report && each.name !== undefined;

const versionsList = z.object({ versions: z.array(z.object({ code: z.string() })) });

/** Asks a shell's host for the versions of a report. */
async function versionsAt(url: string, headers: Record<string, string>) {
  const response = await ask(url, headers);
  if (response.status !== 200) return verdict(response);
  return versionsList
    .parse(JSON.parse(response.text))
    .versions.map(({ code }) => code)
    .toSorted();
}

const openedBy = ({ scene, person, report }: Question) =>
  model
    .livingVersions(report)
    .filter((version) => model.opensVersion(scene.world, person, report, version))
    .map(({ code }) => code)
    .toSorted();

/** Asks what only those are told who control the report, or its version. A code can mean the version, or its report. */
const ofControl =
  (path: string, subject: "report" | "version"): Door =>
  async (question) => {
    const { scene, person, report, version, draw } = question;
    const isNamed = report.name !== undefined && draw.onceIn(2);
    const query = isNamed ? `name=${report.name}` : `code=${version.code}`;
    const { status, text } = await ask(`${scene.service.baseUrl}/api/${path}?${query}`, bearerOf(readerIn(question)));
    const ofReport =
      isNamed || model.findsVersion(scene.world, person, report, version)
        ? model.reportStatus(scene.world, person, report)
        : 404;
    const expected =
      isNamed || subject === "report" ? ofReport : model.versionStatus(scene.world, person, report, version);
    const observed = status !== 200 && text.includes("Hidden ") ? `${status} with a title` : status;
    return { expected, observed };
  };

/** What workspaces tell their members, and what reports tell those who control them. */
export const WORKSPACE_DOORS: Readonly<Record<string, Door>> = {
  "counts of a workspace": ofWorkspace(
    async (client, owner) => {
      const { item_count: all, unfiled_count: unfiled } = await client.call(taxonomyRoute, { query: { owner } });
      return [all, unfiled];
    },
    ({ length }) => [length, length],
  ),
  "search for a name": ofWorkspace(
    async (client, owner, question) => {
      const query = { owner, q: nameOrNone(question), limit: "200" };
      return keysOf((await client.call(searchRoute, { query })).items);
    },
    (shown, question) => keysOfReports(shown.filter(isAsked(question))),
  ),
  "several reports": ofWorkspace(
    async (client, owner, question) => {
      const query = { owner, name: [nameOrNone(question), "no-such-report"] };
      return keysOf((await client.call(itemsRoute, { query })).items);
    },
    (shown, question) => keysOfReports(shown.filter(isAsked(question))),
  ),
  "largest reports": ofWorkspace(
    async (client, owner) => keysOf((await client.call(largestItemsRoute, { query: { owner, limit: "50" } })).items),
    keysOfReports,
  ),
  "audit log": async (question) => {
    const { scene, person, report } = question;
    const url = `${scene.service.baseUrl}/api/audit?owner=${slugOf(scene, report.place)}&limit=1`;
    const { status } = await ask(url, { Cookie: readerIn(question).cookie });
    const isShown = model.governs(scene.world, person, report.place);
    return { expected: isShown ? 200 : model.isMember(scene.world, person, report) ? 403 : 404, observed: status };
  },
  "previews in the portal": async (question) => {
    const { scene, person, report, version } = question;
    const url = `${scene.service.baseUrl}/api/previews?code=${version.code}`;
    const { text } = await ask(url, { Cookie: readerIn(question).cookie });
    const { previews } = z
      .object({ previews: z.array(z.object({ code: z.string(), src: z.url() })) })
      .parse(JSON.parse(text));
    const [preview] = previews;
    const observed = preview === undefined ? false : verdict(await ask(preview.src));
    return { expected: model.findsVersion(scene.world, person, report, version), observed };
  },
  "versions of a public live link": async (question) => {
    const { scene, report } = question;
    if (report.name === undefined) return undefined;
    const observed = await versionsAt(`${liveUrl(scene.service.contentUrl, question)}~versions`, {});
    const shown = model.livingVersions(report).filter((version) => model.isVersionPublic(report, version));
    return { expected: model.isReportPublic(report) && shown.map(({ code }) => code).toSorted(), observed };
  },
  "versions of a private live link": async (question) => {
    const { scene, person, report } = question;
    if (report.name === undefined) return undefined;
    const headers = { Cookie: readerIn(question).cookie };
    const observed = await versionsAt(`${scene.service.baseUrl}/${report.name}/~versions`, headers);
    return { expected: model.opensReport(scene.world, person, report) && openedBy(question), observed };
  },
  "who a report is shared with": ofControl("share", "version"),
  "guest links of a report": ofControl("share/links", "version"),
  "who has seen a report": ofControl("seen", "report"),
  "MCP, search": async (question) => {
    const { scene, person, draw } = question;
    if (!draw.onceIn(2)) return undefined;
    const { result } = await callTool(question, "search_reports", { limit: 100 });
    return {
      expected: expectedKeys(question, (each) => model.listsReport(scene.world, person, each)),
      observed: keysOf(result.structuredContent?.reports ?? []),
    };
  },
  "MCP, content": async (question) => {
    const { scene, person, report, version, draw } = question;
    if (!draw.onceIn(2)) return undefined;
    const { result, text } = await callTool(question, "read_report", { report: version.code });
    const observed = result.isError === true ? verdict({ status: 404, text }) : text.includes("Hidden words");
    return { expected: model.findsVersion(scene.world, person, report, version), observed };
  },
};
