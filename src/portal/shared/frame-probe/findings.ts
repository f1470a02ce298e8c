import { BRIDGE_LIMITS, type BridgeMessage, type StorageArea } from "../../../client/definitions.ts";

/** What a framed page says about itself, unverified. Show it as text only. */
export interface FrameFindings {
  /** Undefined until the page has loaded and been quiet for two seconds. */
  isBlank: boolean | undefined;
  /** Uncaught errors of the first seconds: at most 5, of at most 300 characters. */
  errors: readonly string[];
  /** The storage that the page tried to use and the sandbox denied. */
  deniedStorage: readonly StorageArea[];
  /** Files that didn't load: paths in the report, or host and path elsewhere. At most 20. */
  missing: readonly string[];
}

/** Why a page may not work: it needs storage, is blank or incomplete because of an error or missing files, or is blank. */
export type FrameProblem = "storage" | "error" | "missing" | "blank";

export const NO_FINDINGS: FrameFindings = { isBlank: undefined, errors: [], deniedStorage: [], missing: [] };

/** Adds what a message says. Returns the same findings if it is nothing new. */
export function addFinding(findings: FrameFindings, message: BridgeMessage): FrameFindings {
  switch (message.kind) {
    case "error":
      return withNew(findings, "errors", message.text, BRIDGE_LIMITS.errors);
    case "missing":
      return withNew(findings, "missing", message.path, BRIDGE_LIMITS.missing);
    case "denied":
      return findings.deniedStorage.includes(message.area)
        ? findings
        : { ...findings, deniedStorage: [...findings.deniedStorage, message.area] };
    case "settled":
      return findings.isBlank === message.isBlank ? findings : { ...findings, isBlank: message.isBlank };
    default:
      return findings;
  }
}

function withNew(findings: FrameFindings, list: "errors" | "missing", text: string, maximum: number): FrameFindings {
  const known = findings[list];
  if (known.length >= maximum || known.includes(text)) return findings;
  return { ...findings, [list]: [...known, text] };
}

/** Browsers say no more about errors of scripts in separate files: in the sandbox, they come from another origin. */
const STORAGE_ERROR = /^Script error\.?$|SecurityError|localStorage|sessionStorage|document\.cookie/;

/**
 * Returns the likely reason if a page doesn't work. A page that is denied storage and copes has no problem; one that is
 * blank, or fails because of it, needs storage.
 */
export function problemOf({ isBlank, errors, deniedStorage, missing }: FrameFindings): FrameProblem | undefined {
  const isBroken = isBlank === true || errors.some((text) => STORAGE_ERROR.test(text));
  if (deniedStorage.length > 0 && isBroken) return "storage";
  if (isBlank !== true) return errors.length > 0 ? "error" : undefined;
  if (errors.length > 0) return "error";
  return missing.length > 0 ? "missing" : "blank";
}
