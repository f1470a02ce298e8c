const SEPARATORS = /[\s,;]+/;

/** Returns the addresses in a text, as people paste them. */
export const splitEmails = (text: string): string[] => text.split(SEPARATORS).filter((word) => word !== "");
