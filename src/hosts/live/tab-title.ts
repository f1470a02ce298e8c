/** Returns the title of a shell's tab. It says that this is somebody's report, whatever the report calls itself. */
export const tabTitle = (title: string, publisher: string): string => `${title} · report by ${publisher}`;
