const OF_ALL = `Exit codes:
  0  it worked
  1  it was refused, or it failed
  2  it was typed or set wrongly`;
const OF_CLIENTS = `
  3  not signed in, or the token is not valid
  4  the server cannot be reached, or is not ready; it was tried several times`;

/** How a command may end; those that talk to a server may end in more ways. */
export const exitCodesHelp = (talksToServer: boolean): string => OF_ALL + (talksToServer ? OF_CLIENTS : "");
