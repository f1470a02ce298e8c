/** The keyboard shortcuts by where they work: a label, then the keys that do the same. */
export const SHORTCUTS: readonly { group: string; keys: readonly (readonly [string, ...string[]])[] }[] = [
  {
    group: "Everywhere",
    keys: [
      ["Command palette", "mod K"],
      ["Search", "/"],
      ["New report", "c"],
      ["Undo the latest change", "z"],
      ["Keyboard shortcuts", "?"],
    ],
  },
  {
    group: "Go to",
    keys: [
      ["All reports", "g a"],
      ["Recent", "g r"],
      ["Starred", "g s"],
      ["Unfiled", "g u"],
    ],
  },
  {
    group: "List of reports",
    keys: [
      ["Next report", "j", "↓"],
      ["Previous report", "k", "↑"],
      ["Open", "Enter"],
      ["Select", "x", "Space"],
      ["Select a range", "Shift ↓"],
      ["Select all", "mod A"],
      ["Filter", "f"],
    ],
  },
  {
    group: "The focused or selected reports",
    keys: [
      ["Rename", "e"],
      ["Star", "s"],
      ["Move to folder", "m"],
      ["Tags", "t"],
      ["Share", "v"],
      ["Delete", "Delete"],
    ],
  },
  {
    group: "A report's page",
    keys: [
      ["Comments", "m"],
      ["Details", "]"],
      ["Present", "f"],
      ["Next difference", "n"],
      ["Previous difference", "p"],
      ["Next change, while changes are shown", "j"],
      ["Previous change", "k"],
    ],
  },
  {
    group: "Comments",
    keys: [
      ["Next thread", "j"],
      ["Previous thread", "k"],
      ["Comment", "c"],
      ["Reply", "r"],
      ["Resolve or reopen", "e"],
      ["Send", "mod Enter"],
    ],
  },
];
