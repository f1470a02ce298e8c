import { HTML } from "../../../../support/readers.ts";
import { ask, type Door, opensSocket, type Question, verdict } from "./doors.ts";
import * as model from "./model.ts";

const API = [
  "report?code=CODE",
  "report/file?code=CODE&path=index.html",
  "thumbnail?code=CODE",
  "list",
  "shared",
  "inbox",
];

const endedOf = ({ scene: { ended }, person }: Question) => ended[person];

/** A session that has ended leads to the page that asks for signing in. */
function seen({ status, location, text }: { status: number; location: string; text: string }): boolean | string {
  return status === 302 && location.includes("/-/sign-in") ? false : verdict({ status, text });
}

/** What people try with access tokens that were revoked or have expired, and with sessions that have ended. */
export const ENDED_DOORS: Readonly<Record<string, Door>> = {
  "API with an ended token": async (question) => {
    const { scene, version, draw } = question;
    const token = draw.one(endedOf(question)?.tokens ?? []);
    const path = draw.one(API)?.replace("CODE", version.code);
    const response = await ask(`${scene.service.baseUrl}/api/${path}`, { Authorization: `Bearer ${token}` });
    return { expected: false, observed: verdict(response) };
  },
  "version link with an ended token": async (question) => {
    const { scene, version, draw } = question;
    const token = draw.one(endedOf(question)?.tokens ?? []);
    const headers = { Authorization: `Bearer ${token}` };
    return { expected: false, observed: verdict(await ask(`${scene.service.contentUrl}/${version.code}/`, headers)) };
  },
  "version link in an ended session": async (question) => {
    const { scene, report, version } = question;
    const headers = { ...HTML, Cookie: endedOf(question)?.cookie ?? "" };
    const page = await ask(`${scene.service.baseUrl}/${version.code}/`, headers);
    const isPublic = page.location.startsWith(scene.service.contentUrl);
    return { expected: model.isVersionPublic(report, version), observed: isPublic || seen(page) };
  },
  "socket in an ended session": async (question) => {
    const { scene, report } = question;
    if (report.name === undefined) return undefined;
    const { baseUrl } = scene.service;
    const headers = { Origin: baseUrl, Cookie: endedOf(question)?.cookie ?? "" };
    // Public live links have their sockets on the content host.
    return { expected: false, observed: await opensSocket(`${baseUrl}/${report.name}/`, headers) };
  },
  "API in an ended session": async (question) => {
    const { scene, version, draw } = question;
    const path = draw.one(API)?.replace("CODE", version.code);
    const response = await ask(`${scene.service.baseUrl}/api/${path}`, { Cookie: endedOf(question)?.cookie ?? "" });
    return { expected: false, observed: verdict(response) };
  },
};
