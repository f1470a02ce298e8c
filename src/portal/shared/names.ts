/** Whether it can be the name of a group. */
export const isName = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,62}$/.test(text);
