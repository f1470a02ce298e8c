/** Returns the title of a shell's tab. It says who published the report, whatever the report calls itself. */
export const tabTitle = (title: string, publisher: string): string => `${title} · report by ${publisher}`;
