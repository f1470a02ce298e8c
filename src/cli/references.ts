import { CODE_PATTERN, parseLivePath } from "../client/definitions.ts";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { ItemDetailEntry } from "../client/routes.ts";
import { CommandError } from "./output.ts";
import type { Session } from "./session.ts";

/** What a call takes to name a group or a report. */
export type Reference = { name: string } | { code: string };

/** A name, a code, or a link to either as it was pasted. */
export function parseReference(text: string): Reference {
  const word = fromLink(text) ?? text;
  return CODE_PATTERN.test(word) ? { code: word } : { name: word };
}

function fromLink(text: string): string | undefined {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const { pathname } = new URL(text);
  return parseLivePath(pathname)?.name ?? pathname.split("/").find((part) => part !== "");
}

const ONE_VERSION = /^([^@/]+)@(\d{1,9})$/;

/** Whether it means one version, and not a group as a whole. */
export const isOfOneVersion = (text: string): boolean => ONE_VERSION.test(text) || "code" in parseReference(text);

/** The same words for the same thing in every sentence. */
export const wordOf = (reference: Reference): string => ("name" in reference ? reference.name : reference.code);

export const findItem = async (session: Session, text: string): Promise<ItemDetailEntry> => {
  const { itemRoute } = await loadRoutes.details();
  return session.call(itemRoute, { query: parseReference(text) });
};

/** The code of one version: of a name, the current one; of `name@3`, the third. */
export async function findCode(session: Session, text: string): Promise<string> {
  const [, name, number] = ONE_VERSION.exec(text) ?? [];
  if (name !== undefined && number !== undefined) return findVersion(session, name, Number(number));
  const reference = parseReference(text);
  return "code" in reference ? reference.code : (await findItem(session, text)).code;
}

/** The code of a group's version by its number. Throws `CommandError`. */
export async function findVersion(session: Session, name: string, number: number): Promise<string> {
  const { itemVersionsRoute } = await loadRoutes.details();
  const query = { name, before: number + 1, limit: 1 };
  const { versions } = await session.call(itemVersionsRoute, { query });
  const [version] = versions;
  if (version?.version_no === number) return version.code;
  throw new CommandError(`${name} has no version ${number}. vitrine versions ${name} lists those there are.`);
}
