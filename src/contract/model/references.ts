import { requestedCode, requestedName } from "./common.ts";

/** The fields of a request that names a report, or a version by its code. */
export const reference = { name: requestedName.optional(), code: requestedCode.optional() };

export const hasOneReference = ({ name, code }: { name?: unknown; code?: unknown }) =>
  (name === undefined) !== (code === undefined);

export const ONE_REFERENCE = "Specify either name or code";
