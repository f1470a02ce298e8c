import { expect } from "bun:test";
import { seenRoute, setSeenByRoute } from "../../../../src/contract/seen/seen.ts";
import type { SeenBy } from "../../../../src/domain/model/seen-by.ts";
import { addOrganization } from "../../../support/people.ts";
import { HTML, readersOf } from "../../../support/readers.ts";
import { type Service, uniqueName } from "../../../support/service.ts";
import { signIn } from "../../../support/sessions.ts";
import { settled } from "../../../support/until.ts";
import { actionsOf } from "../actions.ts";

/** The headers with which a browser opens a report in a frame. */
export const FRAME = { ...HTML, "Sec-Fetch-Dest": "iframe" };

/** Returns functions that set what a service records, open reports, and read what was recorded. */
export function createSeenScene(service: Service) {
  const act = actionsOf(service);
  const readers = readersOf(service);

  const setSeenBy = (token: string, slug: string, seen_by: SeenBy) =>
    service.client(token).call(setSeenByRoute, { body: { owner: slug, seen_by } });
  const seen = (token: string, name: string) => service.client(token).call(seenRoute, { query: { name } });

  /** What was recorded, without times. */
  async function summary(token: string, name: string) {
    const { versions, links, readers: people, refused } = await seen(token, name);
    return {
      versions: versions.map(({ version_no, openings }) => [version_no, openings]),
      links: Object.fromEntries(links.map(({ link, openings }) => [link, openings])),
      readers: people.map(({ slug, openings, version_nos }) => [slug, openings, version_nos]),
      refused: refused?.attempts ?? 0,
    };
  }
  const settledSummary = (token: string, name: string, expected: unknown) =>
    settled(() => summary(token, name), expected);

  /** Creates a person whose workspace records something, with a report. */
  async function recording(seenBy: SeenBy, overrides: Parameters<typeof act.publish>[1] = {}) {
    const person = await readers.person();
    await setSeenBy(person.token, person.slug, seenBy);
    const name = uniqueName();
    const { code } = await act.publish(person.token, { name, visibility: "public", ...overrides });
    return { ...person, name, code };
  }

  /** Creates an organization that records something, with a report of its member. */
  async function organization(seenBy: SeenBy, overrides: Parameters<typeof act.publish>[1] = {}) {
    const people = await addOrganization(service);
    const { slug, owner: governor, admin, member } = people;
    const tokenOf = (person: { slug: string }) => service.build.token({ userSlug: person.slug, workspaceSlug: slug });
    const [ownerToken, adminToken, token] = [await tokenOf(governor), await tokenOf(admin), await tokenOf(member)];
    await setSeenBy(ownerToken, slug, seenBy);
    const name = uniqueName();
    const { code } = await act.publish(token, { name, visibility: "org", ...overrides });
    return { ...people, slug, name, code, token, ownerToken, adminToken };
  }

  /** Opens a report as a browser does: the page around it, and then its frame. */
  async function look(code: string, person: { email: string }, headers: Record<string, string> = {}) {
    const cookie = await signIn(service, person);
    const src = await readers.openedFrame(code, { cookie });
    expect((await fetch(src, { headers: { ...FRAME, ...headers } })).status).toBe(200);
    return cookie;
  }

  return { act, readers, setSeenBy, seen, summary, settledSummary, recording, organization, look };
}
