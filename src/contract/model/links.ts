/** The forms of links, names and codes, which clients share with the server. */
export { createLinks, parseLivePath } from "../../domain/model/links.ts";
export { CODE_PATTERN, REPORT_NAME_PATTERN, SLUG_PATTERN } from "../../domain/model/names.ts";
