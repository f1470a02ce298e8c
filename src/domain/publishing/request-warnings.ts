import { type Caller, VISIBILITIES, type Visibility } from "../model/entities.ts";
import type { IgnoredDetails, Published } from "./ports.ts";

interface Requested {
  folder?: string | undefined;
  visibility?: Visibility | undefined;
}

/** Returns warnings about what a request asked for without the effect that the caller expects. */
export function warningsAbout(requested: Requested, published: Published, { memberships }: Caller): string[] {
  const { versionNo, visibility, isFiledElsewhere } = published;
  const ignored = ignoredBy(requested);
  const hasOrganization = memberships.some(({ kind }) => kind === "org");
  return [
    ...(versionNo > 1 ? [ignored.visibility[visibility]] : []),
    ...(isFiledElsewhere ? [ignored.folder] : []),
    ...(versionNo === 1 && visibility === "org" && !hasOrganization ? [NO_ORGANIZATION] : []),
  ].filter((warning) => warning !== undefined);
}

const NO_ORGANIZATION =
  'visibility "org" lets members of your organizations read the report, but you are in no organization. Share it with people, or make it public.';

/** Returns the warning about each field that a new version would ignore, because it takes them from its report. */
export function ignoredBy({ visibility: requested, folder }: Requested): IgnoredDetails {
  const others = requested === undefined ? [] : VISIBILITIES.filter((visibility) => visibility !== requested);
  const sentence = (visibility: Visibility) =>
    `visibility "${requested}" was not applied: a new version has the visibility of its report, which is "${visibility}".`;
  return {
    visibility: Object.fromEntries(others.map((visibility) => [visibility, sentence(visibility)])),
    folder:
      folder === undefined ? undefined : `folder "${folder}" was not applied: a new version doesn't move its report.`,
  };
}
