/** Parts of server warnings, with advice the warnings don't contain. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /publish with storage "memory"/,
    "If you can't change the page, select “Needs browser storage” and publish the next version.",
  ],
  [/^visibility ".*" was not applied/, "Open the report to change its visibility."],
  [/^folder ".*" was not applied/, "Open the report to move it."],
  [/^\d+ more warnings? not shown/, "Fix the warnings above and publish again to see the rest."],
];

/** Returns advice for a server warning. */
export const remedyFor = (warning: string): string | undefined => remedies.find(([kind]) => kind.test(warning))?.[1];
