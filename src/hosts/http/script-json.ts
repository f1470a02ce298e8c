/** Returns a value as JSON for use in a script element. */
export const jsonForScript = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c");
