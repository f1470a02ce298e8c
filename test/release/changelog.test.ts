import { describe, expect, test } from "bun:test";
import { findChanges, releaseNotes } from "../../scripts/building/changelog.ts";

const RELEASED = "# Changelog\n\n## [1.1.0] - 2026-11-22\n\n### Added\n\n- Two.\n\n## [1.0.0] - 2026-11-20\n\nFirst.\n";
const CHANGED = RELEASED.replace("## [1.1.0]", "## [Unreleased]\n\n- Three.\n\n## [1.1.0]");

describe("release notes", () => {
  test("are the section of the version", () => {
    expect(releaseNotes(RELEASED, "1.1.0")).toBe("### Added\n\n- Two.\n");
    expect(releaseNotes(RELEASED, "1.0.0")).toBe("First.\n");
  });

  test("may stand below an empty section for unreleased changes", () => {
    expect(releaseNotes(RELEASED.replace("## [1.1.0]", "## [Unreleased]\n\n## [1.1.0]"), "1.0.0")).toBe("First.\n");
  });

  test("don't exist for a version without changes, or while there are unreleased ones", () => {
    expect(() => releaseNotes(RELEASED, "1.2.0")).toThrow("CHANGELOG.md has no section for 1.2.0.");
    expect(() => releaseNotes(CHANGED, "1.1.0")).toThrow("unreleased changes");
    expect(findChanges(CHANGED, "Unreleased")).toBe("- Three.");
  });

  test("can be read from the changelog of this project", async () => {
    const changelog = await Bun.file(new URL("../../CHANGELOG.md", import.meta.url)).text();
    expect(findChanges(changelog, "0.1.0")).toStartWith("First version:");
  });
});
