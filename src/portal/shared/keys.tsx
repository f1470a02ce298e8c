import { COMMAND_KEY } from "./keyboard.ts";
import classes from "./keys.module.css";

const NAMES: Readonly<Record<string, string>> = { mod: COMMAND_KEY, Delete: "Del", Escape: "Esc" };

/** A keyboard shortcut as its keys, such as "mod K" or "g r". */
export const Keys = ({ keys }: { keys: string }) => (
  <span className={classes.keys}>
    {keys.split(" ").map((key) => (
      <kbd key={key} className={classes.key}>
        {NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
      </kbd>
    ))}
  </span>
);
