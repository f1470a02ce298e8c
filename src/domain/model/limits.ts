const MEBIBYTE = 1024 * 1024;

export const FILES_PER_UPLOAD = 100;
/** Bytes of one decoded file. */
export const FILE_BYTES = 10 * MEBIBYTE;
/** Bytes of a whole upload request. */
export const UPLOAD_BODY_BYTES = 20 * MEBIBYTE;
/** Bytes of any other request, unless its route sets another limit. Low, because parsing blocks the event loop. */
export const JSON_BODY_BYTES = 64 * 1024;
/** Bytes of a request that names many reports and tags. */
export const ITEMS_BODY_BYTES = 256 * 1024;
/** Levels of objects and arrays in a JSON body; no route takes more than four. */
export const JSON_DEPTH = 64;
/** Values and keys in a JSON body: more than any route takes, and parsed in a millisecond or two. */
export const JSON_VALUES = 10_000;
/** Characters (Unicode code points) of a report's title. */
export const TITLE_CHARACTERS = 300;
/** Characters of a note with a version. */
export const NOTE_CHARACTERS = 500;
/** Characters of a drawer's, folder's or tag's title. */
export const CABINET_TITLE_CHARACTERS = 120;
/** Characters of a legacy folder label, whose parts may be longer than `CABINET_TITLE_CHARACTERS`. */
export const FOLDER_LABEL_CHARACTERS = 1000;
/** Reports that one call files or tags. */
export const ITEMS_PER_CALL = 200;
/** Tags that one call attaches or detaches. */
export const TAGS_PER_CALL = 1000;
/** Pairs of a report and a tag that one call attaches or detaches. */
export const TAG_PAIRS_PER_CALL = 20_000;
/** Characters of a file's path. */
export const FILE_PATH_CHARACTERS = 255;
/** Characters of a user's or an organization's display name. */
export const DISPLAY_NAME_CHARACTERS = 120;
/** Characters of an access token's name. */
export const TOKEN_NAME_CHARACTERS = 100;
/** Maximum lifetime in days of an access token that expires. */
export const TOKEN_DAYS = 3650;
/** Searches that a user may save in one workspace. */
export const SAVED_FILTERS = 50;
/** Access tokens that a user may create. */
export const TOKENS_PER_USER = 200;
/** Names, and codes, of the reports that one call returns. */
export const ITEMS_READ_PER_CALL = 100;
/** Versions whose preview addresses one call returns. */
export const PREVIEWS_PER_CALL = 24;
/** Bytes of a version's thumbnail. */
export const THUMBNAIL_BYTES = 64 * 1024;
/** Pixels of a thumbnail's longer side. */
export const THUMBNAIL_SIDE = 1280;
/** Addresses that one call shares a report with or stops sharing it with. */
export const PEOPLE_PER_CALL = 50;
/** People that a report can be shared with by name. */
export const PEOPLE_PER_REPORT = 500;
/** Pairs of report and person that one call can change: one transaction writes them all. */
export const SHARE_PAIRS_PER_CALL = 2000;
/** Characters of the message with a request for access. */
export const ACCESS_MESSAGE_CHARACTERS = 500;
/** Requests for access that a user can make in an hour. */
export const ACCESS_REQUESTS_PER_HOUR = 20;
/** Bytes of the single file that the free plan allows. */
export const FREE_PLAN_FILE_BYTES = MEBIBYTE;

/** Returns the number of characters (code points), as JSON Schema's `maxLength` counts them. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Returns the first `limit` characters (code points) of a text. */
export function cutCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return Array.from(text.slice(0, limit * 2))
    .slice(0, limit)
    .join("");
}
