/** Returns the title of a shell's tab. It names the publisher, because a report can have any title. */
export const tabTitle = (title: string, publisher: string): string => `${title} · report by ${publisher}`;
