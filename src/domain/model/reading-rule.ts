import type { Visibility } from "./entities.ts";

/** Combines conditions: booleans about one report, or parts of a query over many. */
export interface Logic<Condition> {
  all(conditions: readonly Condition[]): Condition;
  any(conditions: readonly Condition[]): Condition;
}

/** How the reader relates to the workspace that owns the report. */
export interface ReaderFacts<Condition> {
  isMember: boolean;
  /** Whether the workspace belongs to a person who shares an organization with the reader. */
  isColleague: boolean;
  /** Whether the reader is an owner or admin of the workspace. */
  governs: Condition;
}

/** What the rule asks about a report or one of its versions. */
export interface SubjectFacts<Condition> {
  isOneOf(visibilities: readonly Visibility[]): Condition;
  isByReader: Condition;
}

/** What the rule needs to decide about one version. */
export interface VersionFacts<Condition> {
  reader: ReaderFacts<Condition>;
  item: Pick<SubjectFacts<Condition>, "isByReader">;
  version: SubjectFacts<Condition>;
}

/** What the rule needs to decide about a version as part of its report. */
export interface ItemFacts<Condition> extends VersionFacts<Condition> {
  item: SubjectFacts<Condition>;
}

/** Returns the visibilities at which the reader may read reports that others made. */
export const sharedWith = ({
  isMember,
  isColleague,
}: Pick<ReaderFacts<unknown>, "isMember" | "isColleague">): readonly Visibility[] =>
  isMember || isColleague ? ["public", "org"] : ["public"];

/**
 * Returns the rule of who may read, the only place that states it. Members read what is shared with them and what they
 * made; owners and admins read everything; others read what is public or what a colleague shares.
 */
export function readingRule<Condition>({ all, any }: Logic<Condition>) {
  function allows(
    reader: ReaderFacts<Condition>,
    { isOneOf }: SubjectFacts<Condition>,
    makers: readonly Condition[],
  ): Condition {
    const isShared = isOneOf(sharedWith(reader));
    return reader.isMember ? any([isShared, reader.governs, ...makers]) : isShared;
  }

  /** Decides about one version by its version link. The report's maker may read all its versions. */
  const allowsVersion = ({ reader, item, version }: VersionFacts<Condition>): Condition =>
    allows(reader, version, [item.isByReader, version.isByReader]);

  /** Decides about a version as part of its report: both have to allow it. */
  const allowsItem = (facts: ItemFacts<Condition>): Condition =>
    all([allows(facts.reader, facts.item, [facts.item.isByReader]), allowsVersion(facts)]);

  return { allowsVersion, allowsItem };
}
