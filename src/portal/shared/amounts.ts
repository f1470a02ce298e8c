const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** Returns a size in the user's language, such as "1.4 MB". */
export function describeBytes(bytes: number, locale?: string): string {
  const exponent = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)), UNITS.length - 1);
  const value = bytes / 1024 ** exponent;
  const unit = UNITS[exponent] ?? "byte";
  const maximumFractionDigits = exponent === 0 || value >= 100 ? 0 : 1;
  // The short form of bytes is "46 byte".
  const unitDisplay = exponent === 0 ? "long" : "short";
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay, maximumFractionDigits }).format(value);
}

const ownNumbers = new Intl.NumberFormat();

export const describeNumber = (value: number, locale?: string): string =>
  (locale === undefined ? ownNumbers : new Intl.NumberFormat(locale)).format(value);

/** Returns "report" for 1 and "reports" for 3. */
export const nounFor = (count: number, singular: string, plural = `${singular}s`): string =>
  count === 1 ? singular : plural;

/** Returns "1 report" or "3 reports". */
export const describeCount = (count: number, singular: string, plural?: string): string =>
  `${describeNumber(count)} ${nounFor(count, singular, plural)}`;

/** Returns a share from 0 to 1 as a percentage; one that isn't zero never reads as zero. */
export function describeShare(share: number, locale?: string): string {
  const format = new Intl.NumberFormat(locale, { style: "percent", maximumSignificantDigits: 2 });
  return share > 0 && share < 0.0001 ? `less than ${format.format(0.0001)}` : format.format(share);
}
