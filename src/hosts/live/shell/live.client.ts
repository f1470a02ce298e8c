import type { CurrentFact, VersionsFact } from "../messages.ts";
import { followReport } from "./follow.ts";
import { findBar, loadVersions, part } from "./page-parts.ts";

const current: CurrentFact = JSON.parse(part("state", HTMLScriptElement).text);

/** A renamed report has a new address. */
function moveTo(name: string): void {
  history.replaceState(null, "", location.pathname.replace(/[^/]+\/$/, `${name}/`) + location.search + location.hash);
}

followReport({
  root: findBar(),
  current,
  isLive: true,
  loadVersions: () => loadVersions<VersionsFact>("~versions"),
  renamed: moveTo,
});
