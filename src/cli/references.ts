import { CODE_PATTERN, REPORT_NAME_PATTERN } from "../client/definitions.ts";
import { loadRoutes } from "../client/lazy-routes.ts";
import { parseReferenceText } from "../client/references.ts";
import type { ItemDetailEntry } from "../client/routes.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import type { Session } from "./session.ts";

/** What arguments that mean a report, one version, or either accept, for help. */
export const REPORT_HELP = "name, code or link of a report";
export const VERSION_HELP = "name of a report, name@3 for its version 3, the code of a version, or a link";
export const REPORT_OR_VERSION_HELP =
  "name of a report, name@3 for its version 3 only, the code of a version, or a link";

/** A report as calls of the API take it. */
export type Reference = { name: string } | { code: string };

/** Parses a name, a code, or a link to either. Throws `GuestLinkError`. */
export function parseReference(text: string): Reference {
  const { word } = parseReferenceText(text);
  return CODE_PATTERN.test(word) ? { code: word } : { name: word };
}

/** Returns whether the text means a single version, not a report with all its versions. */
export const isSingleVersion = (text: string): boolean =>
  parseReferenceText(text).versionNo !== undefined || "code" in parseReference(text);

/** Throws `CommandError` unless a report can have this name. `source` names the option or argument. */
export function requireName(name: string, source: string): void {
  if (REPORT_NAME_PATTERN.test(name)) return;
  throw new CommandError(
    `"${name}" isn't a valid report name (${source}). Use up to 63 lowercase letters, digits and hyphens.`,
    EXIT_CODES.usage,
  );
}

/** Returns the name or the code. */
export const wordOf = (reference: Reference): string => ("name" in reference ? reference.name : reference.code);

/** Returns the version that the text names, or the report with all its versions. */
export const referenceTo = async (session: Session, text: string): Promise<Reference> =>
  isSingleVersion(text) ? { code: await findCode(session, text) } : parseReference(text);

/** Returns the report that the text means, also if it names one of its versions, which has to exist. */
export async function reportOf(session: Session, text: string): Promise<Reference> {
  const { versionNo } = parseReferenceText(text);
  const reference = parseReference(text);
  if (versionNo !== undefined && "name" in reference) await findVersion(session, reference.name, versionNo);
  return reference;
}

/** Reads the report that the text means. */
export const findItem = async (session: Session, text: string): Promise<ItemDetailEntry> => {
  const { itemRoute } = await loadRoutes.details();
  return session.call(itemRoute, { query: parseReference(text) });
};

/** Returns the code of a version: for a name, of the current one; for `name@3`, of version 3. */
export async function findCode(session: Session, text: string): Promise<string> {
  const { versionNo } = parseReferenceText(text);
  const reference = parseReference(text);
  if ("code" in reference) return reference.code;
  if (versionNo !== undefined) return findVersion(session, reference.name, versionNo);
  return (await findItem(session, text)).code;
}

/** Returns the code of a report's version with this number. Throws `CommandError`. */
export async function findVersion(session: Session, name: string, number: number): Promise<string> {
  const { itemVersionsRoute } = await loadRoutes.details();
  const query = { name, before: number + 1, limit: 1 };
  const { versions } = await session.call(itemVersionsRoute, { query });
  const [version] = versions;
  if (version?.version_no === number) return version.code;
  throw new CommandError(`${name} has no version ${number}. Run vitrine versions ${name} for a list.`);
}

/** Returns the codes of a version and of the one before it. Throws `CommandError` if it is the first. */
export async function findPreviousCode(session: Session, text: string) {
  const { itemVersionsRoute, reportRoute } = await loadRoutes.details();
  const newCode = await findCode(session, text);
  const { name, version_no: number } = await session.call(reportRoute, { query: { code: newCode } });
  const query = { ...(name === null ? { code: newCode } : { name }), before: number, limit: 1 };
  const { versions } = await session.call(itemVersionsRoute, { query });
  const [previous] = versions;
  if (previous === undefined)
    throw new CommandError(`${text} has no earlier version to compare with. Pass what to compare it with.`);
  return { oldCode: previous.code, oldLabel: `${name ?? previous.code}@${previous.version_no}`, newCode };
}

/** Returns the name of the report that the text means. Throws `CommandError` if it has none. */
export async function nameOf(session: Session, text: string): Promise<string> {
  const reference = parseReference(text);
  if ("name" in reference) return reference.name;
  const { name } = await findItem(session, text);
  if (name !== undefined) return name;
  throw new CommandError(`The report ${reference.code} has no name. Only reports published with --name have one.`);
}
