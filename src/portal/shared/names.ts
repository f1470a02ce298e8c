import { REPORT_NAME_PATTERN } from "../../client/definitions.ts";

/** Returns whether a text is a valid report name. */
export const isName = (text: string): boolean => REPORT_NAME_PATTERN.test(text);
