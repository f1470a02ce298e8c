import { type PlacedAnchor, REVIEW_LIMITS, type ReviewMessage } from "../../../contract/bridge/review.ts";
import {
  ANCHOR_LIMITS,
  ELEMENT_KINDS,
  type ElementAnchor,
  type Fingerprint,
  type Place,
  type TextAnchor,
} from "../../../html/anchors/anchor.ts";

type Fields = Record<string, unknown>;

const PLACES: readonly Place[] = ["exact", "moved", "changed", "gone", "unknown"];
/** Pixels and characters, far beyond any page. */
const FARTHEST = 1e9;
const PATH = 1_000;

/** Returns a message of a framed page, with no more than its fields; undefined if the bridge would never send it. */
export function readReviewMessage(data: unknown): ReviewMessage | undefined {
  if (!isRecord(data)) return undefined;
  const { kind } = data;
  if (kind === "ready" || kind === "failed" || kind === "escaped") return { kind };
  if (kind === "pressed") return isCount(data.id) ? { kind, id: data.id } : undefined;
  if (kind === "placed") return readPlaced(data.placed);
  return kind === "chosen" ? readChosen(data) : undefined;
}

function readPlaced(list: unknown): ReviewMessage | undefined {
  if (!Array.isArray(list) || list.length > REVIEW_LIMITS.anchors) return undefined;
  const placed = list.map(readPlace);
  return placed.includes(undefined)
    ? undefined
    : { kind: "placed", placed: placed.filter((each) => each !== undefined) };
}

function readPlace(data: unknown): PlacedAnchor | undefined {
  if (!isRecord(data)) return undefined;
  const { id, top } = data;
  const place = PLACES.find((each) => each === data.place);
  return isCount(id) && place !== undefined && (top === null || isPixels(top)) ? { id, place, top } : undefined;
}

function readChosen({ anchor, isPicked, top }: Fields): ReviewMessage | undefined {
  if (typeof isPicked !== "boolean" || !isPixels(top)) return undefined;
  if (anchor === null) return { kind: "chosen", anchor, isPicked, top };
  const known = readAnchor(anchor);
  return known && { kind: "chosen", anchor: known, isPicked, top };
}

function readAnchor(data: unknown): TextAnchor | ElementAnchor | undefined {
  if (!isRecord(data)) return undefined;
  const anchor =
    data.kind === "text" ? readTextAnchor(data) : data.kind === "element" ? readElementAnchor(data) : undefined;
  return anchor !== undefined && JSON.stringify(anchor).length <= REVIEW_LIMITS.anchorCharacters ? anchor : undefined;
}

function readTextAnchor({ path, quote, prefix, suffix, start, end, headings }: Fields): TextAnchor | undefined {
  const { quote: quoteLimit, context } = ANCHOR_LIMITS;
  if (!isText(path, PATH) || !isText(quote, quoteLimit) || quote === "") return undefined;
  if (!isText(prefix, context) || !isText(suffix, context) || !isHeadings(headings)) return undefined;
  if (!isCount(start) || !isCount(end) || end <= start) return undefined;
  return { kind: "text", path, quote, prefix, suffix, start, end, headings };
}

function readElementAnchor({ path, element, headings, label, fingerprint }: Fields): ElementAnchor | undefined {
  const known = ELEMENT_KINDS.find((each) => each === element);
  const print = readFingerprint(fingerprint);
  if (known === undefined || print === undefined || !isText(path, PATH)) return undefined;
  if (!isText(label, ANCHOR_LIMITS.label) || !isHeadings(headings)) return undefined;
  return { kind: "element", path, element: known, headings, label, fingerprint: print };
}

function readFingerprint(data: unknown): Fingerprint | undefined {
  if (!isRecord(data) || !isCount(data.index)) return undefined;
  const { index, count, elsewhere, text } = data;
  const table = readOptional(data.table, readTable);
  const image = readOptional(data.image, readImage);
  const chart = readOptional(data.chart, readChart);
  const isRight =
    (text === undefined || isText(text, ANCHOR_LIMITS.text)) && isOptionalCount(count) && isOptionalCount(elsewhere);
  if (!isRight || table === null || image === null || chart === null) return undefined;
  return {
    index,
    ...(count === undefined ? {} : { count }),
    ...(elsewhere === undefined ? {} : { elsewhere }),
    ...(text === undefined ? {} : { text }),
    ...(table && { table }),
    ...(image && { image }),
    ...(chart && { chart }),
  };
}

/** Returns undefined for what is missing, and null for what has another form. */
const readOptional = <Value>(data: unknown, read: (fields: Fields) => Value | undefined): Value | undefined | null =>
  data === undefined ? undefined : isRecord(data) ? (read(data) ?? null) : null;

function readTable({ index, header, row_key, column_key }: Fields): Fingerprint["table"] {
  if (!isCount(index) || !isNames(header) || !isName(row_key) || !isName(column_key)) return undefined;
  return { index, header, row_key, column_key };
}

function readImage({ digest, alt, src }: Fields): Fingerprint["image"] {
  const given = Object.entries({ digest, alt, src }).filter(([, value]) => value !== undefined);
  const known = given.flatMap(([name, value]) => (isName(value) ? [[name, value] as const] : []));
  return known.length === given.length ? Object.fromEntries(known) : undefined;
}

function readChart({ library, title, series }: Fields): Fingerprint["chart"] {
  if (!isName(library) || !isNames(series) || !(title === undefined || isName(title))) return undefined;
  return { library, series, ...(title === undefined ? {} : { title }) };
}

const isRecord = (data: unknown): data is Fields => typeof data === "object" && data !== null && !Array.isArray(data);
const isText = (value: unknown, longest: number): value is string =>
  typeof value === "string" && value.length <= longest;
const isName = (value: unknown): value is string => isText(value, ANCHOR_LIMITS.name);
const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= ANCHOR_LIMITS.names && value.every(isName);
const isHeadings = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= ANCHOR_LIMITS.headings &&
  value.every((each) => isText(each, ANCHOR_LIMITS.heading));
const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= FARTHEST;
const isOptionalCount = (value: unknown): value is number | undefined => value === undefined || isCount(value);
const isPixels = (value: unknown): value is number => typeof value === "number" && Math.abs(value) <= FARTHEST;
