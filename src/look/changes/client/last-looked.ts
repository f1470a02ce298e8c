/** What is remembered of a version. */
export interface LookedVersion {
  code: string;
  version_no: number;
}

/**
 * Remembers which version of a report this browser shows. Returns the one that it showed before. Returns undefined if it showed
 * none, or if the browser can't remember it.
 */
export function rememberLooked(report: string, { code, version_no }: LookedVersion): LookedVersion | undefined {
  try {
    const place = `looked ${report}`;
    const [before = "", number] = (localStorage.getItem(place) ?? "").split(" ");
    localStorage.setItem(place, `${code} ${version_no}`);
    return number ? { code: before, version_no: Number(number) } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns what heads the changes of a version since another. */
export const newsHeading = (from: LookedVersion, { version_no: shown }: LookedVersion): string =>
  from.version_no === shown - 1 ? `Version ${shown}` : `Since version ${from.version_no}`;
