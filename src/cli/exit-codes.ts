const OF_ALL = `Exit codes:
  0  it worked
  1  it was refused, or it failed
  2  it was typed or set wrongly`;
const OF_CLIENTS = `
  3  not signed in, or the token is not valid
  4  the server cannot be reached, or is not ready; it was tried several times`;
const OF_OPERATORS = `
  75 the database or the store of published files can't be reached; try again later`;

/** Who may end in which ways: commands that talk to a server, and those that work on its data. */
const ADDITIONS = { clients: OF_CLIENTS, operators: OF_OPERATORS, all: OF_CLIENTS + OF_OPERATORS };

/** Returns how a command may end. */
export const exitCodesHelp = (who: keyof typeof ADDITIONS): string => OF_ALL + ADDITIONS[who];
