import { z } from "zod";
import { listRoute } from "../../../../../src/contract/reports/lists.ts";
import { searchRoute } from "../../../../../src/contract/search/search.ts";
import { sharedRoute } from "../../../../../src/contract/sharing/shared.ts";
import { trashRoute } from "../../../../../src/contract/trash/trash.ts";
import { framedBy, HTML } from "../../../../support/readers.ts";
import { knock } from "../../../live/readers.ts";
import { statusOf } from "../../actions.ts";
import type { Draw } from "../../draw.ts";
import * as model from "./model.ts";
import { type Reader, readerOf, type Scene, slugOf } from "./scene.ts";

/** Who asks for what. */
export interface Question {
  scene: Scene;
  draw: Draw;
  person: number;
  report: model.Report;
  version: model.Version;
}

/** What the model says and what the server does. They are equal unless there is a mistake. */
export interface Answer {
  expected: unknown;
  observed: unknown;
}

/** Asks the server. Returns undefined if what was drawn makes no question. */
export type Door = (question: Question) => Promise<Answer | undefined>;

/** Titles and pages of all reports contain this, which no one may see who may not read them. */
const HIDDEN = "Hidden ";

export const bearerOf = ({ token }: Reader) => ({ Authorization: `Bearer ${token}` });
export const readerIn = ({ scene, person }: Question) => readerOf(scene, person);

export async function ask(url: string, headers: Record<string, string> = {}, init: RequestInit = {}) {
  const response = await fetch(url, { headers, redirect: "manual", ...init });
  return { status: response.status, location: response.headers.get("location") ?? "", text: await response.text() };
}

/** Says whether a response lets its reader in; a text if it is neither an answer nor a refusal that reveals nothing. */
export function verdict({ status, text }: { status: number; text: string }): boolean | string {
  if (status === 200) return true;
  if (text.includes(HIDDEN)) return `${status} with a title`;
  return [401, 404].includes(status) ? false : `${status} ${text.slice(0, 200)}`;
}

/** Asks a live link for its socket. */
export async function opensSocket(link: string, headers: Readonly<Record<string, string>>): Promise<boolean | string> {
  const response = await knock(link, headers);
  return response.status === 101 || verdict({ status: response.status, text: await response.text() });
}

/** Opens what a page of the application host frames, or the address of the public report to which it leads. */
async function openPage(question: Question, path: string): Promise<boolean | string> {
  const { scene, person, report, version } = question;
  const { baseUrl, contentUrl } = scene.service;
  const page = await ask(baseUrl + path, { ...HTML, Cookie: readerIn(question).cookie });
  if (page.location.startsWith(contentUrl)) return verdict(await ask(page.location));
  const src = framedBy(page.text);
  if (page.status !== 200 || src === undefined)
    return verdict({ ...page, status: page.status === 200 ? 500 : page.status });
  if (src.includes("/~1.")) scene.tickets.push({ src, holder: { person }, report, version });
  return verdict(await ask(src));
}

const api =
  (path: (question: Question) => string | undefined, expected: (question: Question) => boolean): Door =>
  async (question) => {
    const requested = path(question);
    if (requested === undefined) return undefined;
    const url = `${question.scene.service.baseUrl}/api/${requested}`;
    return { expected: expected(question), observed: verdict(await ask(url, bearerOf(readerIn(question)))) };
  };

const findsVersion = ({ scene, person, report, version }: Question) =>
  model.findsVersion(scene.world, person, report, version);
const opensVersion = ({ scene, person, report, version }: Question) =>
  model.opensVersion(scene.world, person, report, version);
const findsReport = ({ scene, person, report }: Question) => model.findsReport(scene.world, person, report);
const opensReport = ({ scene, person, report }: Question) => model.opensReport(scene.world, person, report);

const byName =
  (path: string) =>
  ({ report: { name } }: Question) =>
    name === undefined ? undefined : `${path}?name=${name}`;

export const liveUrl = (host: string, { scene, report }: Question) =>
  `${host}/@${slugOf(scene, report.place)}/${report.name}/`;

/** Returns how lists name a report. */
const keyOf = ({ name, current }: Pick<model.Report, "name" | "current">) => name ?? current;
export const keysOf = (items: readonly { name?: string | undefined; code: string }[]) =>
  items.map(({ name, code }) => name ?? code).toSorted();
export const expectedKeys = ({ scene }: Question, shows: (report: model.Report) => boolean) =>
  scene.world.reports.filter(shows).map(keyOf).toSorted();

const toolAnswer = z.object({
  result: z.object({
    isError: z.boolean().optional(),
    structuredContent: z
      .object({
        reports: z
          .array(z.object({ name: z.string().optional(), code: z.string(), is_version: z.boolean().optional() }))
          .optional(),
        threads: z.array(z.object({ thread: z.string() })).optional(),
      })
      .optional(),
  }),
});

export async function callTool(question: Question, name: string, args: Record<string, unknown>) {
  const response = await ask(
    `${question.scene.service.baseUrl}/mcp`,
    {},
    {
      method: "POST",
      headers: {
        ...bearerOf(readerIn(question)),
        Accept: "application/json, text/event-stream",
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
    },
  );
  return { text: response.text, result: toolAnswer.parse(JSON.parse(response.text)).result };
}

/** The ways to reports for people with an account and for everyone. */
export const DOORS: Readonly<Record<string, Door>> = {
  "version link without credentials": async ({ scene, report, version }) => ({
    expected: model.isVersionPublic(report, version),
    observed: verdict(await ask(`${scene.service.contentUrl}/${version.code}/`)),
  }),
  "version link with a token": async (question) => ({
    expected: opensVersion(question),
    observed: verdict(
      await ask(`${question.scene.service.contentUrl}/${question.version.code}/`, bearerOf(readerIn(question))),
    ),
  }),
  "version link in a browser": async (question) => ({
    expected: opensVersion(question),
    observed: await openPage(question, `/${question.version.code}/`),
  }),
  "live link in a browser": async (question) => {
    const { report } = question;
    if (report.name === undefined || report.isDeleted) return undefined;
    const asked = { ...question, version: model.currentOf(report) };
    return { expected: opensReport(question), observed: await openPage(asked, `/${report.name}/`) };
  },
  "live link without credentials": async (question) => {
    const { scene, report } = question;
    if (report.name === undefined) return undefined;
    const response = await ask(`${liveUrl(scene.service.contentUrl, question)}~current`);
    return { expected: model.isReportPublic(report), observed: verdict(response) };
  },
  "socket in a browser": async (question) => {
    const { scene, report } = question;
    if (report.name === undefined) return undefined;
    const { baseUrl } = scene.service;
    const headers = { Origin: baseUrl, Cookie: readerIn(question).cookie };
    return { expected: opensReport(question), observed: await opensSocket(`${baseUrl}/${report.name}/`, headers) };
  },
  "socket without credentials": async (question) => {
    const { scene, report } = question;
    if (report.name === undefined) return undefined;
    const { contentUrl } = scene.service;
    const observed = await opensSocket(liveUrl(contentUrl, question), { Origin: contentUrl });
    return { expected: model.isReportPublic(report), observed };
  },
  "frame on another page": async ({ scene, report, version }) => ({
    expected: model.isVersionPublic(report, version),
    observed: verdict(await ask(`${scene.service.contentUrl}/~embed/${version.code}/`)),
  }),
  "earlier ticket": async ({ scene, draw }) => {
    const ticket = draw.one(scene.tickets);
    if (ticket === undefined) return undefined;
    const { src, holder, report, version } = ticket;
    const expected =
      holder.link === undefined
        ? model.opensVersion(scene.world, holder.person, report, version)
        : model.admitsGuest(holder.link, version);
    return { expected, observed: verdict(await ask(src)) };
  },
  "API, version": api(({ version }) => `report?code=${version.code}`, findsVersion),
  "API, file": api(({ version }) => `report/file?code=${version.code}&path=index.html`, findsVersion),
  "API, thumbnail": api(({ version }) => `thumbnail?code=${version.code}`, findsVersion),
  "API, report": api(byName("item"), findsReport),
  "API, group": api(byName("group"), findsReport),
  "API, versions": api(byName("item/versions"), findsReport),
  "API without credentials": async ({ scene, version }) => ({
    expected: false,
    observed: verdict(await ask(`${scene.service.baseUrl}/api/report?code=${version.code}`)),
  }),
  list: async (question) => {
    const { scene, person } = question;
    const { groups, standalone } = await scene.service.client(readerIn(question).token).call(listRoute);
    return {
      expected: expectedKeys(question, (each) => model.listsReport(scene.world, person, each)),
      observed: [...groups.map(({ name }) => name), ...standalone.map(({ code }) => code)].toSorted(),
    };
  },
  search: async (question) => {
    const { scene, person, report } = question;
    const client = scene.service.client(readerIn(question).token);
    const query = { owner: slugOf(scene, report.place), limit: "200" };
    if (!model.isMember(scene.world, person, report)) {
      return { expected: 404, observed: await statusOf(client.call(searchRoute, { query })) };
    }
    const { items } = await client.call(searchRoute, { query });
    const isShown = (each: model.Report) =>
      model.samePlace(each.place, report.place) && model.listsReport(scene.world, person, each);
    return { expected: expectedKeys(question, isShown), observed: keysOf(items) };
  },
  "shared with me": async (question) => {
    const { scene, person } = question;
    const query = { limit: "200" };
    const { items } = await scene.service.client(readerIn(question).token).call(sharedRoute, { query });
    return { expected: expectedShared(question), observed: sharedKeys(scene, person, items) };
  },
  trash: async (question) => {
    const { scene, person, report } = question;
    const { world } = scene;
    const client = scene.service.client(readerIn(question).token);
    const query = { owner: slugOf(scene, report.place), limit: "200" };
    if (!model.isMember(world, person, report)) {
      return { expected: 404, observed: await statusOf(client.call(trashRoute, { query })) };
    }
    const { entries } = await client.call(trashRoute, { query });
    const observed = entries.map(({ code }) => code).toSorted();
    return { expected: model.trashOf(world, person, report.place).toSorted(), observed };
  },
  "oEmbed, live link": async (question) => {
    const { scene, report } = question;
    if (report.name === undefined) return undefined;
    const url = encodeURIComponent(liveUrl(scene.service.contentUrl, question));
    const response = await ask(`${scene.service.baseUrl}/api/oembed?url=${url}`);
    return { expected: model.isReportPublic(report), observed: verdict(response) };
  },
  "oEmbed, version link": async ({ scene, report, version }) => {
    const { baseUrl, contentUrl } = scene.service;
    const url = encodeURIComponent(`${contentUrl}/${version.code}/`);
    const response = await ask(`${baseUrl}/api/oembed?url=${url}`);
    return { expected: model.isVersionPublic(report, version), observed: verdict(response) };
  },
  card: async ({ scene, report, version, draw }) => {
    // Pictures take long to draw.
    if (model.isVersionPublic(report, version) && !draw.onceIn(20)) return undefined;
    const response = await ask(`${scene.service.contentUrl}/~card/${version.code}.png`);
    return { expected: model.isVersionPublic(report, version), observed: verdict(response) };
  },
  "MCP, report": async (question) => {
    const { report, draw } = question;
    // The tools cost more than the same calls of the API.
    if (report.name === undefined || !draw.onceIn(2)) return undefined;
    const { result, text } = await callTool(question, "show_report", { report: report.name });
    // The tool suggests the version that is shared with the person without its report.
    const isSuggested = model.livingVersions(report).some((version) => findsVersion({ ...question, version }));
    const refused = isSuggested ? false : verdict({ status: 404, text });
    const observed = result.isError ? refused : true;
    return { expected: findsReport(question), observed };
  },
  "MCP, shared reports": async (question) => {
    const { scene, person, draw } = question;
    if (!draw.onceIn(2)) return undefined;
    const { result } = await callTool(question, "list_shared_reports", { limit: 100 });
    const observed = sharedKeys(scene, person, result.structuredContent?.reports ?? []);
    return { expected: expectedShared(question), observed };
  },
};

/** Leaves out single versions, and reports of the reader's own workspaces, which lists show anyway. */
function sharedKeys(
  { world }: Scene,
  person: number,
  items: readonly { name?: string | undefined; code: string; is_version?: boolean | undefined }[],
): string[] {
  const own = new Set(world.reports.filter((report) => model.isMember(world, person, report)).map(keyOf));
  return keysOf(items.filter(({ is_version }) => is_version !== true)).filter((key) => !own.has(key));
}

const expectedShared = (question: Question) =>
  expectedKeys(question, (each) => model.sharesReport(question.scene.world, question.person, each));
