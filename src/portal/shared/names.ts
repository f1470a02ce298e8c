/** Returns whether a text is a valid report name. */
export const isName = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,62}$/.test(text);
