import { ApiError, type Client } from "../client/client.ts";
import { describeMatch } from "./match-text.ts";
import { type Filters, findAll, findMatches, noteOnWords } from "./matches.ts";
import { type Found, findReport, type Reference, referenceOf } from "./references.ts";
import { ToolError } from "./tool-error.ts";
import { requireMember, workspaceOf } from "./workspaces.ts";

/** Reports that one request of the API takes. */
const PER_REQUEST = 200;
/** Reports to name in a preview. */
const LISTED = 50;

export interface Selection {
  owner: string;
  items: readonly Reference[];
  /** What the agent passed; undefined for reports that a search found. */
  texts?: readonly string[];
}

interface Given {
  reports?: readonly string[] | undefined;
  matching?: Filters | undefined;
  expected_count?: number | undefined;
  owner?: string | undefined;
}

export interface Preview {
  owner: string;
  count: number;
  /** Says what matches, and what the next call has to have. */
  text(next?: string): string;
}

/**
 * Returns the reports that a bulk call means, or a preview of those that match, if the call does not say how many it
 * expects. Throws `ToolError`.
 */
export async function select(client: Client, given: Given): Promise<Selection | Preview> {
  const { reports, matching, expected_count: expected, owner: requested } = given;
  if ((reports === undefined) === (matching === undefined)) {
    throw new ToolError("Pass exactly one of reports and matching.");
  }
  if (reports !== undefined) return selectListed(client, reports, requested);
  if (matching === undefined || Object.values(matching).every((filter) => filter === undefined)) {
    throw new ToolError("matching needs at least one filter, such as q, folder or tags. See search_reports.");
  }
  const owner = await workspaceOf(client, requested);
  const matches = await findAll(client, matching, owner);
  if (matches.length === 0) return noMatches(client, { owner, matching, expected });
  if (expected === matches.length) {
    return { owner, items: matches.map(({ name, code }) => (name === undefined ? { code } : { name })) };
  }
  const lines = matches.slice(0, LISTED).map(describeMatch);
  const more = matches.length > LISTED ? [`… and ${matches.length - LISTED} more`] : [];
  const list = [...lines, ...more].join("\n");
  const count = `Reports in ${owner} that match: ${matches.length}`;
  if (expected !== undefined) {
    throw new ToolError(
      `${count}, not ${expected}. Nothing was changed. Check them, and pass expected_count ${matches.length}:\n${list}`,
    );
  }
  return {
    owner,
    count: matches.length,
    text: (next = `expected_count ${matches.length}`) =>
      `${count}. Nothing was changed.${noteOnWords(matching)} To go on, repeat the call with ${next}:\n${list}`,
  };
}

interface NoMatches {
  owner: string;
  matching: Filters;
  expected: number | undefined;
}

/** Returns a preview of nothing, with what may have been meant. Throws `ToolError` if the call expected reports. */
async function noMatches(client: Client, { owner, matching, expected }: NoMatches): Promise<Preview> {
  const text = `Reports in ${owner} that match: 0. Nothing was changed.${noteOnWords(matching)}${await similarNames(client, owner, matching)}`;
  if (expected !== undefined) throw new ToolError(text);
  return { owner, count: 0, text: () => text };
}

/** Names reports whose names start with the prefix without the hyphen at its end. */
async function similarNames(client: Client, owner: string, { name_prefix: prefix = "" }: Filters): Promise<string> {
  const word = /^.*[a-z0-9](?=-+$)/i.exec(prefix.trim())?.[0];
  if (word === undefined) return "";
  const { matches, next } = await findMatches(client, { name_prefix: word }, { owner, limit: 3 });
  const names = [...matches.map(({ name }) => name), ...(next === undefined ? [] : ["…"])];
  return names.length === 0 ? "" : ` Names that start with "${word}": ${names.join(", ")}.`;
}

async function selectListed(
  client: Client,
  reports: readonly string[],
  requested: string | undefined,
): Promise<Selection> {
  const items: Reference[] = [];
  let owner = requested;
  for (const text of reports) {
    const reference = referenceOf(text);
    if (reference !== undefined && owner !== undefined) {
      items.push(reference);
      continue;
    }
    const found = await findReport(client, text);
    items.push(found.reference);
    if (owner === undefined) await requireMember(client, found.item);
    owner ??= found.item.owner_slug;
  }
  return { owner: await workspaceOf(client, owner), items, texts: reports };
}

/** Calls the API for each part of the selection that a request can take. Throws what the call throws, or `ToolError`. */
export async function inBatches<Answer>(
  client: Client,
  { items, texts }: Selection,
  call: (items: Reference[]) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let start = 0; start < items.length; start += PER_REQUEST) {
    const batch = items.slice(start, start + PER_REQUEST);
    answers.push(
      await call(batch).catch(async (error) => {
        if (texts === undefined || !(error instanceof ApiError) || ![400, 404].includes(error.status)) throw error;
        // A text in the form of a name can be a title. This also says which reports are similar to a wrong one.
        const found: Found[] = [];
        for (const text of texts) found.push(await findReport(client, text));
        const owners = new Map(found.map(({ item }, index) => [item.owner_slug, texts[index]]));
        if (owners.size > 1) {
          const list = [...owners].map(([slug, text]) => `"${text}" is in ${slug}`).join(", ");
          throw new ToolError(
            `The reports belong to several workspaces: ${list}. Nothing was changed. Call once for each.`,
          );
        }
        if (error.status === 400) throw error;
        return call(found.map(({ reference }) => reference));
      }),
    );
  }
  return answers;
}
