export interface ComparedCodes {
  before: string;
  after: string;
}

interface ListedVersion {
  code: string;
  version_no: number;
}

interface Asked {
  version?: string | undefined;
  with?: string | undefined;
}

/**
 * Returns the versions that the address asks to compare. By default, these are the shown version and the current one, or
 * the current version and the newest other one, the older of them first. Returns undefined until the versions needed are
 * known; `versions` are newest first.
 */
export function chooseCodes(
  current: string,
  versions: readonly ListedVersion[],
  { version, with: other }: Asked,
): ComparedCodes | undefined {
  const shown = version ?? current;
  if (other !== undefined) return { before: other, after: shown };
  const newestOther = versions.find(({ code }) => code !== current)?.code;
  const counterpart = shown === current ? newestOther : current;
  if (counterpart === undefined) return undefined;
  const place = (wanted: string) => versions.findIndex(({ code }) => code === wanted);
  const [one, two] = [place(shown), place(counterpart)];
  // A version beyond those loaded is older than all of them.
  const isShownNewer = two < 0 || (one >= 0 && one < two);
  return isShownNewer ? { before: counterpart, after: shown } : { before: shown, after: counterpart };
}
