const COMMON = `Exit codes:
  0   success
  1   the request was refused or failed
  2   usage or configuration error`;
const CLIENT = `
  3   not signed in, or the access token is not valid
  4   the server cannot be reached or is not ready`;
const SERVER = `
  70  internal error: a server thread keeps failing`;
const OPERATOR = `
  75  the database or the file storage cannot be reached`;

/** The codes beyond the common ones, by kind of command. */
const ADDITIONS = {
  common: "",
  client: CLIENT,
  operator: OPERATOR,
  server: SERVER + OPERATOR,
  all: CLIENT + SERVER + OPERATOR,
};

/** Returns the help on the exit codes of a kind of command. */
export const exitCodesHelp = (kind: keyof typeof ADDITIONS): string => COMMON + ADDITIONS[kind];
