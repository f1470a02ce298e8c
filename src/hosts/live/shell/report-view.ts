import type { VersionFact } from "../messages.ts";
import type { FrameLink } from "./frame-link.ts";

/** What a part may know and do of the report that the shell shows. */
export interface ReportView {
  /** The version that is shown. */
  shown(): VersionFact;
  /** The frame of the report, also while a version in it still loads. */
  frame(): HTMLIFrameElement | null;
  /** Shows the report, and from now on each version, with the bridge in its pages. The report loads again. */
  startBridge(): void;
  /** Returns the parts' one connection with the report's pages, which introduce themselves once. The first part makes it. */
  link(make: (frame: ReportView["frame"]) => FrameLink): FrameLink;
  /** Returns a version with its present address; undefined if it is no longer available. */
  version(code: string): Promise<VersionFact | undefined>;
  /** Shows another version. */
  choose(code: string): void;
  /** Announces a text to screen readers. */
  say(text: string): void;
}

/** Returns what shows a version by its code, or says that readers can't have it any more. */
export const chooserOf =
  (version: ReportView["version"], choose: (version: VersionFact) => void, say: ReportView["say"]) =>
  async (code: string): Promise<void> => {
    const found = await version(code);
    if (found === undefined) say("This version is no longer available.");
    else choose(found);
  };
