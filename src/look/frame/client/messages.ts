import {
  BRIDGE_LIMITS,
  type BridgeMessage,
  type Pixels,
  type ScrollState,
  STORAGE_AREAS,
} from "../../../contract/bridge/messages.ts";

type Fields = Record<string, unknown>;

/** Reads the fields of a message of each kind; undefined if they have another form. */
const READERS = new Map<unknown, (fields: Fields) => BridgeMessage | undefined>([
  [
    "error",
    ({ text }) => whole(readText(text, BRIDGE_LIMITS.errorCharacters), (known) => ({ kind: "error", text: known })),
  ],
  [
    "missing",
    ({ path }) => whole(readText(path, BRIDGE_LIMITS.missingCharacters), (known) => ({ kind: "missing", path: known })),
  ],
  [
    "denied",
    ({ area }) =>
      whole(
        STORAGE_AREAS.find((known) => known === area),
        (known) => ({ kind: "denied", area: known }),
      ),
  ],
  ["settled", ({ isBlank }) => (typeof isBlank === "boolean" ? { kind: "settled", isBlank } : undefined)],
  ["scroll", (fields) => whole(readScroll(fields), (state) => ({ kind: "scroll", ...state }))],
  ["page", ({ html }) => whole(html === null ? null : readHtml(html), (known) => ({ kind: "page", html: known }))],
  [
    "picture",
    ({ pixels }) => whole(pixels === null ? null : readPixels(pixels), (known) => ({ kind: "picture", pixels: known })),
  ],
]);

const whole = <Field>(field: Field | undefined, build: (field: Field) => BridgeMessage): BridgeMessage | undefined =>
  field === undefined ? undefined : build(field);

/** Returns a message of a framed page, with no more than its fields; undefined if it has another form. */
export const readMessage = (data: unknown): BridgeMessage | undefined =>
  isRecord(data) ? READERS.get(data["kind"])?.(data) : undefined;

const isRecord = (data: unknown): data is Fields => typeof data === "object" && data !== null;

/** Control characters, and characters that change the direction of the text around them. */
const UNSHOWN = /[\p{Cc}\p{Cf}]+/gu;

/** Returns a text on one line. Texts longer than the bridge sends have another sender. */
function readText(data: unknown, maximum: number): string | undefined {
  return typeof data === "string" && data.length <= maximum ? data.replace(UNSHOWN, " ").trim() : undefined;
}

const readHtml = (data: unknown): string | undefined =>
  typeof data === "string" && data.length <= BRIDGE_LIMITS.pageCharacters ? data : undefined;

/** Pixels, far beyond any page. */
const FARTHEST = 1e8;

function readScroll({ left, top, width, height }: Fields): ScrollState | undefined {
  return isPlace(left) && isPlace(top) && isPlace(width) && isPlace(height) ? { left, top, width, height } : undefined;
}

const isPlace = (value: unknown): value is number => typeof value === "number" && Math.abs(value) <= FARTHEST;

function readPixels(value: unknown): Pixels | undefined {
  if (!isRecord(value)) return undefined;
  const { width, height, data } = value;
  if (!isSide(width) || !isSide(height) || !(data instanceof ArrayBuffer)) return undefined;
  return data.byteLength === width * height * 4 ? { width, height, data } : undefined;
}

const isSide = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= BRIDGE_LIMITS.pictureSide;
