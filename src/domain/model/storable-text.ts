/** Returns whether every database and JSON parser accepts the text: it has no lone surrogates and no NUL. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Returns the text with U+FFFD in place of lone surrogates and NUL. */
export const toStorable = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd");
