import { conflict, type Failure } from "../model/failure.ts";
import type { ProtectedThing } from "./ports.ts";

/** Returns the failure for a deletion of something that is protected. */
export function protectedFailure({ name, versionNo }: ProtectedThing, prefix = ""): Failure {
  const report = name === null ? "this report" : `"${name}"`;
  const subject = versionNo === undefined ? `Report ${report}` : `Version ${versionNo} of ${report}`;
  const sentence = `${name === null && versionNo === undefined ? "This report" : subject} is protected, so nothing was deleted. Remove the protection first.`;
  return conflict(prefix === "" ? sentence : `${prefix}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`);
}
