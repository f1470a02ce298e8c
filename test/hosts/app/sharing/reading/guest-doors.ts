import { z } from "zod";
import { GUEST_PROTOCOL, PASS_HEADER } from "../../../../../src/hosts/live/messages.ts";
import { HTML } from "../../../../support/readers.ts";
import { someAddress } from "../../../../support/sessions.ts";
import { ask, type Door, opensSocket, type Question, verdict } from "./doors.ts";
import { admitsGuest, shownTo } from "./model.ts";
import { type OpenableLink, openLink } from "./scene.ts";

/** Attempts that a test makes to open one link wrongly, which are limited. */
const WRONG_TRIES = 50;

const opened = z.object({ current: z.object({ code: z.string(), src: z.string() }) });

/** Chooses a link, mostly to the report in question. */
const drawLink = ({ scene: { links }, report, draw }: Question): OpenableLink | undefined =>
  draw.one(links.filter((link) => link.report === report)) ?? draw.one(links);

const protocolsOf = ({ pass }: OpenableLink): Record<string, string> =>
  pass === undefined ? {} : { "Sec-WebSocket-Protocol": `${GUEST_PROTOCOL}, ${pass}` };

const passOf = ({ pass }: OpenableLink): Record<string, string> => (pass === undefined ? {} : { [PASS_HEADER]: pass });

/** The ways to reports for guests. */
export const GUEST_DOORS: Readonly<Record<string, Door>> = {
  "guest link": async (question) => {
    const link = drawLink(question);
    if (link === undefined) return undefined;
    const expected = shownTo(link);
    const response = await openLink(question.scene, link.url, link);
    const text = await response.text();
    if (!response.ok)
      return { expected: expected?.code, observed: verdict({ status: response.status, text }) || undefined };
    const { code, src } = opened.parse(JSON.parse(text)).current;
    if (expected !== undefined) {
      question.scene.tickets.push({ src, holder: { link }, report: link.report, version: expected });
    }
    const frame = verdict(await ask(src));
    return { expected: expected?.code, observed: frame === true ? code : `${code} ${frame}` };
  },
  "guest link without its proof": async (question) => {
    const link = drawLink(question);
    if (link?.pass === undefined) return undefined;
    const other = question.draw.one(question.scene.links.filter(({ pass }) => pass !== link.pass))?.pass;
    const pass = question.draw.onceIn(2) ? other : undefined;
    const response = await openLink(question.scene, link.url, { pass });
    const text = await response.text();
    const isRefused = response.status === (shownTo(link) === undefined ? 404 : 400) && !text.includes("Hidden");
    return { expected: true, observed: isRefused || `${response.status} ${text}` };
  },
  "guest link with a wrong password": async (question) => {
    const link = drawLink(question);
    if (link?.pass === undefined || link.wrongTries >= WRONG_TRIES) return undefined;
    link.wrongTries++;
    const proof = { password: "a wrong password", email: "guest@example.org", code: "000000" };
    const response = await openLink(question.scene, link.url, { proof });
    const text = await response.text();
    const isRefused = response.status === (shownTo(link) === undefined ? 404 : 403) && !text.includes("Hidden");
    return { expected: true, observed: isRefused || `${response.status} ${text}` };
  },
  "page of a guest link": async (question) => {
    const link = drawLink(question);
    if (link === undefined) return undefined;
    const { status, text } = await ask(link.url, { ...HTML, ...someAddress() });
    // Without a preview, the page itself says nothing about the report, however it is protected.
    const hasTitle = text.includes("Hidden ");
    const isOpen = shownTo(link) !== undefined;
    return { expected: [isOpen ? 200 : 404, isOpen && link.hasPreview], observed: [status, hasTitle] };
  },
  "frame of a guest link": async (question) => {
    const link = drawLink(question);
    if (link === undefined || shownTo(link) === undefined) return undefined;
    const response = await fetch(link.url, { headers: { ...HTML, ...someAddress() } });
    await response.text();
    const policy = response.headers.get("content-security-policy") ?? "";
    const ancestors = /frame-ancestors ([^;]*)/.exec(policy)?.[1];
    const { embedOrigins } = link;
    return { expected: embedOrigins.length === 0 ? "'none'" : embedOrigins.join(" "), observed: ancestors };
  },
  "current version of a guest link": async (question) => {
    const link = drawLink(question);
    if (link === undefined) return undefined;
    const isProven = question.draw.onceIn(2);
    const headers = { ...someAddress(), ...(isProven ? passOf(link) : {}) };
    const expected = shownTo(link) !== undefined && (isProven || link.pass === undefined);
    return { expected, observed: verdict(await ask(`${link.url}~current`, headers)) };
  },
  "socket of a guest link": async (question) => {
    const link = drawLink(question);
    if (link === undefined) return undefined;
    const isProven = question.draw.onceIn(2);
    const headers = {
      Origin: question.scene.service.baseUrl,
      ...someAddress(),
      ...(isProven ? protocolsOf(link) : {}),
    };
    const expected = shownTo(link) !== undefined && (isProven || link.pass === undefined);
    return { expected, observed: await opensSocket(link.url, headers) };
  },
  "ticket of a guest link": async ({ scene, draw }) => {
    const ticket = draw.one(scene.tickets.filter(({ holder }) => holder.link !== undefined));
    if (ticket?.holder.link === undefined) return undefined;
    return { expected: admitsGuest(ticket.holder.link, ticket.version), observed: verdict(await ask(ticket.src)) };
  },
  "oEmbed of a guest link": async (question) => {
    const link = drawLink(question);
    if (link === undefined) return undefined;
    const url = `${question.scene.service.baseUrl}/api/oembed?url=${encodeURIComponent(link.url)}`;
    return { expected: isPreviewed(link), observed: verdict(await ask(url)) };
  },
  "card of a guest link": async (question) => {
    const link = drawLink(question);
    // Pictures take long to draw.
    if (link === undefined || (isPreviewed(link) && !question.draw.onceIn(20))) return undefined;
    return { expected: isPreviewed(link), observed: verdict(await ask(`${link.url}~card.png`, someAddress())) };
  },
};

const isPreviewed = (link: OpenableLink) => link.hasPreview && shownTo(link) !== undefined;
