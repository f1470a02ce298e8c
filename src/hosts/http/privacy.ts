/** Returns whether a browser asks not to be tracked, by Global Privacy Control or Do Not Track. */
export const asksForPrivacy = (headers: Headers): boolean =>
  headers.get("sec-gpc") === "1" || headers.get("dnt") === "1";
