/** Characters of one comment. */
export const COMMENT_CHARACTERS = 10_000;
/** Comments of one report, deleted ones included. */
export const COMMENTS_PER_REPORT = 10_000;
/** Comments that one person adds or edits in a minute. */
export const COMMENTS_PER_MINUTE = 30;
/** Characters of the name that a guest gives. */
export const GUEST_NAME_CHARACTERS = 60;
/** Comments of one thread. */
export const COMMENTS_PER_THREAD = 500;
/** Comments of the threads on one page of a list. */
export const COMMENTS_PER_PAGE = 1000;
/** People whom one comment mentions. */
export const MENTIONS_PER_COMMENT = 20;
/** Threads that one version addresses. */
export const ADDRESSED_PER_VERSION = 200;
/** Bytes of an anchor as JSON. */
export const ANCHOR_BYTES = 8192;
/** Seconds for which a request may wait for comments. */
export const WAIT_SECONDS = 55;
