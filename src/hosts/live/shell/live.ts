import type { VersionsFact } from "../messages.ts";
import { followReport } from "./follow.ts";
import { findBar, loadVersions, part } from "./page-parts.ts";
import type { ReportView } from "./report-view.ts";

/** A renamed report has a new address. */
function moveTo(name: string): void {
  history.replaceState(null, "", location.pathname.replace(/[^/]+\/$/, `${name}/`) + location.search + location.hash);
}

/** Follows the report of a live link. `extend` adds to the bar. */
export const startLive = (extend?: (view: ReportView) => Readonly<Record<string, () => unknown>>): void =>
  followReport({
    root: findBar(),
    current: JSON.parse(part("state", HTMLScriptElement).text),
    isLive: true,
    loadVersions: () => loadVersions<VersionsFact>("~versions"),
    renamed: moveTo,
    extend,
  });
