/** The content codings that Vitrine uses, by their HTTP names, in its own order of preference. */
export const ENCODINGS = ["zstd", "br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** More distinct headers than real clients send; beyond it, a client is making them up. */
const REMEMBERED = 200;
/** Characters of a header that real clients do not exceed. */
const REMEMBERED_LENGTH = 200;

/** Creates a reader of `Accept-Encoding` headers (RFC 9110 §12.5.3) that remembers the few that real clients send. */
export function createEncodingReader(): (header: string) => readonly Encoding[] {
  const remembered = new Map<string, readonly Encoding[]>();
  return (header) => {
    const known = remembered.get(header);
    if (known !== undefined) return known;
    const accepted = acceptedEncodings(header);
    if (header.length > REMEMBERED_LENGTH) return accepted;
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(header, accepted);
    return accepted;
  };
}

/** Returns the codings that a header prefers: those of the highest quality, or none if it prefers uncompressed bodies. */
export function acceptedEncodings(header: string): Encoding[] {
  const qualities = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    if (coding !== "") qualities.set(coding === "x-gzip" ? "gzip" : coding, qualityOf(parameters));
  }
  const qualityFor = (encoding: Encoding) => qualities.get(encoding) ?? qualities.get("*") ?? 0;
  const best = Math.max(...ENCODINGS.map(qualityFor));
  if (best <= 0 || best < (qualities.get("identity") ?? 0)) return [];
  return ENCODINGS.filter((encoding) => qualityFor(encoding) === best);
}

function qualityOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  if (quality === undefined) return 1;
  const value = Number(quality.slice(2));
  return Number.isFinite(value) ? value : 0;
}
