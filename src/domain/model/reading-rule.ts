import type { Visibility } from "./entities.ts";

/** Combines conditions: booleans about one report, or parts of a query over many. */
export interface Logic<Condition> {
  all(conditions: readonly Condition[]): Condition;
  any(conditions: readonly Condition[]): Condition;
}

/** How the reader relates to the workspace that owns the report. */
export interface ReaderFacts<Condition> {
  isMember: boolean;
  /** Whether the reader is an owner or admin of the workspace. */
  governs: Condition;
}

/** What the rule asks about a report or one of its versions. */
export interface SubjectFacts<Condition> extends PersonalFacts<Condition> {
  isOneOf(visibilities: readonly Visibility[]): Condition;
  isByReader: Condition;
}

/** How a report or version is shared with the reader personally, member of its workspace or not. */
export interface PersonalFacts<Condition> {
  /** Whether it is shared with the reader by name. */
  isNamed: Condition;
  /** Whether the workspace's person shares it with an organization that both belong to. */
  isWithColleagues: Condition;
}

/** What the rule needs to decide about one version. */
export interface VersionFacts<Condition> {
  reader: ReaderFacts<Condition>;
  item: Pick<SubjectFacts<Condition>, "isByReader" | "isNamed">;
  version: SubjectFacts<Condition>;
}

/** What the rule needs to decide about a version as part of its report. */
export interface ItemFacts<Condition> extends VersionFacts<Condition> {
  item: SubjectFacts<Condition>;
}

/** The visibilities at which anyone may read. */
export const FOR_ANYONE: readonly Visibility[] = ["public"];
/** The visibilities at which every member may read what others made. */
const FOR_MEMBERS: readonly Visibility[] = ["public", "org"];

/**
 * Returns the rule of who may read, the only place that states it. Anyone reads what is public; members of the workspace
 * what is shared with them and what they made; its owners and admins everything; and people what is shared with them by
 * name or by a colleague.
 */
export function readingRule<Condition>({ all, any }: Logic<Condition>) {
  const asMember = (
    { governs }: ReaderFacts<Condition>,
    { isOneOf }: SubjectFacts<Condition>,
    makers: readonly Condition[],
  ): Condition => any([isOneOf(FOR_MEMBERS), governs, ...makers]);

  const anyhow = (
    reader: ReaderFacts<Condition>,
    subject: SubjectFacts<Condition>,
    { makers, personally }: { makers: readonly Condition[]; personally: Condition },
  ): Condition => any([reader.isMember ? asMember(reader, subject, makers) : subject.isOneOf(FOR_ANYONE), personally]);

  /** Decides whether an item is shared with the reader personally, regardless of its current version. */
  const namesItem = ({ isNamed, isWithColleagues }: PersonalFacts<Condition>): Condition =>
    any([isNamed, isWithColleagues]);

  /** Decides whether a version is shared with the reader personally. A report shared by name includes its versions. */
  const sharesVersion = ({ item, version }: Pick<VersionFacts<Condition>, "item" | "version">): Condition =>
    any([item.isNamed, version.isNamed, version.isWithColleagues]);

  /** Decides about one version by its version link. The report's maker may read all its versions. */
  const allowsVersion = (facts: VersionFacts<Condition>): Condition =>
    anyhow(facts.reader, facts.version, {
      makers: [facts.item.isByReader, facts.version.isByReader],
      personally: sharesVersion(facts),
    });

  /** Decides about a version as part of its report: both have to allow it. */
  const allowsItem = (facts: ItemFacts<Condition>): Condition =>
    all([
      anyhow(facts.reader, facts.item, { makers: [facts.item.isByReader], personally: namesItem(facts.item) }),
      allowsVersion(facts),
    ]);

  /** Decides whether a version as part of its report is shared with the reader personally, public or not. */
  const sharesItem = (facts: ItemFacts<Condition>): Condition => all([namesItem(facts.item), allowsVersion(facts)]);

  return { allowsVersion, allowsItem, sharesVersion, sharesItem };
}
