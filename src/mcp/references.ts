import { ApiError, type Client } from "../client/client.ts";
import { CODE_PATTERN, REPORT_NAME_PATTERN } from "../client/definitions.ts";
import { parseReferenceText } from "../client/references.ts";
import {
  accountRoute,
  type ItemDetailEntry,
  itemRoute,
  itemVersionsRoute,
  type ReportEntry,
  reportRoute,
  searchRoute,
  sharedRoute,
} from "../client/routes.ts";
import { quoteTitle } from "./fence.ts";
import { ToolError } from "./tool-error.ts";

/** A report as calls of the API take it. */
export type Reference = { name: string } | { code: string };

/** A report that a text means, and which of its versions. */
export interface Found {
  item: ItemDetailEntry;
  reference: Reference;
  /** The code of the version that the text means; undefined if it means the report. */
  versionCode: string | undefined;
}

/** Reports to name if several could be meant. */
const SUGGESTIONS = 5;

/** Returns what the text can mean without being a title, the likeliest first. */
function readings(word: string): Reference[] {
  const code = CODE_PATTERN.test(word) ? [{ code: word }] : [];
  return REPORT_NAME_PATTERN.test(word) ? [{ name: word }, ...code] : code;
}

/** Returns the reference that a text is by its form; undefined for a title. */
export const referenceOf = (text: string): Reference | undefined => readings(parseReferenceText(text).word)[0];

/** Returns undefined for a failure because something isn't there. */
export const unlessMissing = (error: unknown) => {
  if (error instanceof ApiError && error.status === 404) return undefined;
  throw error;
};

/** Returns undefined if the server refuses to answer, for facts that the user can do without. */
export const ifAnswered = <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> =>
  answer.catch((error) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });

/** Returns the report that a text means: a name, `name@2`, a code, a link or a title. Throws `ToolError`. */
export async function findReport(client: Client, text: string): Promise<Found> {
  const { word, versionNo } = parseReferenceText(text);
  for (const reference of readings(word)) {
    const item = await client.call(itemRoute, { query: reference }).catch(unlessMissing);
    if (item === undefined) continue;
    const versionCode = "code" in reference ? reference.code : undefined;
    if (versionNo === undefined) return { item, reference, versionCode };
    return { item, reference, versionCode: await findVersion(client, item, versionNo) };
  }
  const reference = await findByTitle(client, text, word);
  return { item: await client.call(itemRoute, { query: reference }), reference, versionCode: undefined };
}

/** Returns the report with this name, or undefined. */
export const findNamed = (client: Client, name: string): Promise<ItemDetailEntry | undefined> =>
  client.call(itemRoute, { query: { name } }).catch(unlessMissing);

/** Returns the version that a text means: of a report, the current one. Throws `ToolError`. */
export async function findVersionReport(client: Client, text: string): Promise<ReportEntry> {
  const { word, versionNo } = parseReferenceText(text);
  // Some names have the form of a code.
  const isName = async () => REPORT_NAME_PATTERN.test(word) && (await findNamed(client, word)) !== undefined;
  if (versionNo === undefined && CODE_PATTERN.test(word) && !(await isName())) {
    // People who may read only this version find no report by its code.
    const version = await client.call(reportRoute, { query: { code: word } }).catch(unlessMissing);
    if (version !== undefined) return version;
  }
  const { item, versionCode } = await findReport(client, text);
  return client.call(reportRoute, { query: { code: versionCode ?? item.code } });
}

/** Returns the code of a report's version with this number. Throws `ToolError`. */
export async function findVersion(client: Client, item: ItemDetailEntry, versionNo: number): Promise<string> {
  const reference = item.name === undefined ? { code: item.code } : { name: item.name };
  const { versions } = await client.call(itemVersionsRoute, {
    query: { ...reference, before: versionNo + 1, limit: 1 },
  });
  const [version] = versions;
  if (version?.version_no === versionNo) return version.code;
  throw new ToolError(`${item.name ?? item.code} has no version ${versionNo}. List its versions with list_versions.`);
}

/** Names a version by its number and its code. */
export async function describeVersion(client: Client, code: string): Promise<string> {
  return `version ${(await client.call(reportRoute, { query: { code } })).version_no} (${code})`;
}

interface Candidate {
  name?: string | undefined;
  code: string;
  title: string;
  updated_at: string;
}

const fold = (title: string) => title.normalize().toLowerCase().replace(/\s+/g, " ").trim();

async function findByTitle(client: Client, text: string, word: string): Promise<Reference> {
  const candidates = await search(client, word);
  // A title in the form of a name is that of an untitled report, and can be a name that the report no longer has.
  const exact = candidates.filter(({ title }) => fold(title) === fold(word) && !REPORT_NAME_PATTERN.test(title));
  const [only] = exact;
  if (only !== undefined && exact.length === 1)
    return only.name === undefined ? { code: only.code } : { name: only.name };
  const list = (exact.length > 0 ? exact : candidates)
    .slice(0, SUGGESTIONS)
    .map(
      ({ name, code, title, updated_at: at }) => `${name ?? code} (${quoteTitle(title)}, updated ${at.slice(0, 16)}Z)`,
    )
    .join(", ");
  const quoted = JSON.stringify(text);
  if (exact.length > 1)
    throw new ToolError(`${exact.length} reports have the title ${quoted}: ${list}. Pass a name or code.`);
  const kind = CODE_PATTERN.test(word) && !REPORT_NAME_PATTERN.test(word) ? "Version" : "Report";
  const next = list === "" ? "Find reports with search_reports or list_shared_reports." : `Similar: ${list}.`;
  throw new ToolError(`${kind} ${quoted} not found. ${next}`);
}

async function search(client: Client, q: string): Promise<Candidate[]> {
  const words = q.slice(0, 300);
  const { workspaces } = await client.call(accountRoute);
  const [shared, ...own] = await Promise.all([
    client.call(sharedRoute, { query: { q: words, limit: 50 } }),
    ...workspaces.map(({ slug }) => client.call(searchRoute, { query: { owner: slug, q: words, limit: 50 } })),
  ]);
  return [...own.flatMap(({ items }) => items), ...shared.items];
}
