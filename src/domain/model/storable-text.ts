/** Returns whether every database and every JSON parser takes the text: it has no lone surrogate and no NUL. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Returns the text with U+FFFD in place of lone surrogates and NUL. */
export const toStorable = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd");
