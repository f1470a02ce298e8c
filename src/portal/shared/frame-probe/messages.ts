import {
  BRIDGE_LIMITS,
  type BridgeMessage,
  type Pixels,
  type ScrollState,
  STORAGE_AREAS,
} from "../../../client/definitions.ts";

/** Returns a message of a framed page, with no more than its fields; undefined if it has another form. */
export function readMessage(data: unknown): BridgeMessage | undefined {
  if (!isRecord(data)) return undefined;
  switch (data["kind"]) {
    case "error": {
      const text = readText(data["text"], BRIDGE_LIMITS.errorCharacters);
      return text === undefined ? undefined : { kind: "error", text };
    }
    case "denied": {
      const area = STORAGE_AREAS.find((known) => known === data["area"]);
      return area === undefined ? undefined : { kind: "denied", area };
    }
    case "missing": {
      const path = readText(data["path"], BRIDGE_LIMITS.missingCharacters);
      return path === undefined ? undefined : { kind: "missing", path };
    }
    case "settled": {
      const { isBlank } = data;
      return typeof isBlank === "boolean" ? { kind: "settled", isBlank } : undefined;
    }
    case "scroll": {
      const state = readScroll(data);
      return state === undefined ? undefined : { kind: "scroll", ...state };
    }
    case "picture": {
      const pixels = data["pixels"] === null ? null : readPixels(data["pixels"]);
      return pixels === undefined ? undefined : { kind: "picture", pixels };
    }
    default:
      return undefined;
  }
}

const isRecord = (data: unknown): data is Record<string, unknown> => typeof data === "object" && data !== null;

/** Control characters, and characters that change the direction of the text around them. */
const UNSHOWN = /[\p{Cc}\p{Cf}]+/gu;

/** Returns a text on one line. Texts longer than the bridge sends have another sender. */
function readText(data: unknown, maximum: number): string | undefined {
  return typeof data === "string" && data.length <= maximum ? data.replace(UNSHOWN, " ").trim() : undefined;
}

/** Pixels, far beyond any page. */
const FARTHEST = 1e8;

function readScroll({ left, top, width, height }: Record<string, unknown>): ScrollState | undefined {
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
