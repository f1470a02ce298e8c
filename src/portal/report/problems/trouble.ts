import { type FrameFindings, type FrameProblem, NO_FINDINGS } from "../../shared/frame-probe/findings.ts";
import type { Report } from "../types.ts";

type TroubledReport = Pick<Report, "storage"> & { warnings: readonly string[] };

/** What a framed report says about itself, unverified. */
export interface Trouble {
  findings: FrameFindings;
  problem: FrameProblem | undefined;
}

export const NO_TROUBLE: Trouble = { findings: NO_FINDINGS, problem: undefined };

const NEEDS_STORAGE = /publish with storage "memory"/;

/** Returns whether turning on browser storage may help a report. */
export function needsStorage({ storage, warnings }: TroubledReport, { findings, problem }: Trouble): boolean {
  if (storage !== "none") return false;
  return (
    problem === "storage" || (findings.isBlank === true && warnings.some((warning) => NEEDS_STORAGE.test(warning)))
  );
}

/** Returns a sentence on why a report doesn't work; undefined if it does, or as long as nothing is known. */
export function describeTrouble(report: TroubledReport, trouble: Trouble): string | undefined {
  const { isBlank, errors, missing } = trouble.findings;
  if (needsStorage(report, trouble)) return "This report needs browser storage.";
  if (isBlank !== true) return undefined;
  // In Vitrine's own words alone: what the page says could pass for Vitrine's.
  if (errors.length > 0) return "This report is blank because of an error.";
  return missing.length > 0 ? "This report is blank because files didn't load." : "This report is blank.";
}

/** What browsers say instead of an error in a script from elsewhere. */
const NO_DETAIL = "Script error.";

/** Returns everything that is known to be wrong, one line each: the upload's warnings and what the page reported. */
export const problemLines = (report: TroubledReport, { findings: { errors, missing } }: Trouble): string[] => [
  ...report.warnings,
  ...errors.filter((text) => text !== NO_DETAIL).map((text) => `Error in the report: “${text}”`),
  ...missing.map((path) => `Didn't load: “${path}”`),
];
