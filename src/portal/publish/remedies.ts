/** Parts of server warnings, with advice the warnings don't contain. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /publish with storage "memory"/,
    "Here that is the box “Needs browser storage”: tick it, and publish the next version. It does for pages that you cannot change.",
  ],
  [/^visibility ".*" was not applied/, "Open the report to change who can read it and all its versions."],
  [/^folder ".*" was not applied/, "Open the report to move it."],
  [/^… and \d+ more/, "Mend those above first; the next version says what is left."],
];

/** Returns advice for a server warning. */
export const remedyFor = (warning: string): string | undefined => remedies.find(([kind]) => kind.test(warning))?.[1];
