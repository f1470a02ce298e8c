/** Bytes `[start, end)`. */
export interface ByteRange {
  start: number;
  end: number;
}

const SINGLE_RANGE = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i;

/**
 * Parses a `Range` header for a file of `size` bytes (RFC 9110 §14.2). Returns one range, `"unsatisfiable"`, or undefined
 * for headers to ignore: other units, several ranges and malformed ones.
 */
export function parseRange(header: string, size: number): ByteRange | "unsatisfiable" | undefined {
  const match = SINGLE_RANGE.exec(header);
  if (match === null) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "") return last === "" ? undefined : suffixRange(Number(last), size);
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size : Math.min(Number(last) + 1, size) };
}

function suffixRange(length: number, size: number): ByteRange | "unsatisfiable" {
  if (length === 0 || size === 0) return "unsatisfiable";
  return { start: Math.max(0, size - length), end: size };
}
