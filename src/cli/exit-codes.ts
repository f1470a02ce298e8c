/** What `vitrine help exit-codes` prints. */
export const EXIT_CODES_HELP = `Exit codes:
  0  it worked
  1  it was refused, or it failed
  2  it was typed or set wrongly
  3  not signed in, or the token is not valid
  4  the server cannot be reached, or is not ready; it was tried several times`;
