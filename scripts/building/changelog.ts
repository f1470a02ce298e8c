/** Returns the text below the heading of a version in CHANGELOG.md, or undefined if there is no such heading or text. */
export function findChanges(changelog: string, heading: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`[${heading}]`));
  return section?.replace(/^.*\n/, "").trim() || undefined;
}

/** Returns the release notes. Throws if CHANGELOG.md isn't ready for a release of this version. */
export function releaseNotes(changelog: string, version: string): string {
  const changes = findChanges(changelog, version);
  if (changes === undefined) throw new Error(`CHANGELOG.md has no section for ${version}.`);
  if (findChanges(changelog, "Unreleased") !== undefined) {
    throw new Error(
      `CHANGELOG.md has unreleased changes. Set the version in package.json and client/package.json, rename "Unreleased" to it, or pass --snapshot.`,
    );
  }
  return `${changes}\n`;
}
