/** No uploaded file has a name with this prefix. */
const PREFIX = "~";
const PAGE = /\.html?$/i;

/** Returns the name under which the form of a page with replaced storage is kept. */
export const standInPath = (path: string): string => PREFIX + path;

export const isStandInFor = (standIn: string, path: string): boolean => standIn === standInPath(path);

/** Returns whether a file is a page whose storage can be replaced. */
export const canHaveStandIn = (path: string): boolean => PAGE.test(path);
