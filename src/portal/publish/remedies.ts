/** A part of what the server says that tells the kinds of its warnings apart, and what to do about each. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/has a base element/, "Delete the base element and refer to each file by its name alone."],
  [/references that start with "\/"/, "Leave the slash out, so that the reference is the file's name alone."],
  [/which is outside the upload/, "Add that file to the others, and refer to it by its name alone."],
  [/an upload has no subdirectories/, "Add that file to the others, and leave the folder out of the reference."],
  [/not among the uploaded files/, "Add that file, or delete the reference. Capital and small letters differ."],
  [
    /uses document\.cookie outside a try block/,
    "Put that line into try { … } catch { … }, or do without cookies: there are none here.",
  ],
  [
    /outside a try block/,
    "Put that line into try { … } catch { … }, or keep the value in a variable: nothing is stored here.",
  ],
  [/^visibility ".*" was not applied/, "Open the report to change who can read it and all its versions."],
  [/^folder ".*" was not applied/, "Open the report to move it."],
  [/^… and \d+ more/, "Mend those above first; the next version says what is left."],
];

/** What to do about a warning of the server, if that is known. */
export const remedyFor = (warning: string): string | undefined => remedies.find(([kind]) => kind.test(warning))?.[1];
