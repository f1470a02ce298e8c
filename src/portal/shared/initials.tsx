import classes from "./initials.module.css";

/** Returns the first letters of the first and the last word of a name. */
function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter((word) => word !== "");
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => (word ? [...word][0] : ""));
  return letters.join("").toLocaleUpperCase();
}

interface InitialsProps {
  name: string;
  /** In pixels. */
  size: number;
  shape?: "round" | "square";
  isAccent?: boolean;
}

/** Stands for a person or a workspace, beside or instead of the name. */
export const Initials = ({ name, size, shape = "round", isAccent = false }: InitialsProps) => (
  <span
    aria-hidden
    className={classes.initials}
    data-shape={shape}
    data-accent={isAccent || undefined}
    style={{ width: size, height: size, fontSize: Math.max(Math.round(size * 0.4), 9) }}
  >
    {initialsOf(name)}
  </span>
);

/** Returns what stands for the person in an email address. */
export const localPart = (email: string): string => email.split("@", 1)[0] ?? email;
