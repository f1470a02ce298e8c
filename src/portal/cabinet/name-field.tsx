import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { messageOf } from "../shared/errors.ts";
import { Hidden } from "../shared/hidden.tsx";
import classes from "./cabinet.module.css";

/** In code points. */
const MAX_LENGTH = 120;

interface Props {
  label: string;
  placeholder?: string;
  initial: string;
  onSave(title: string): Promise<unknown>;
  onEnd(end: NamingEnd): void;
}

/** `left` means the focus had already moved elsewhere. */
export type NamingEnd = "saved" | "cancelled" | "left";

/** Inline name field: Enter saves, Escape cancels. */
export function NameField({ label, placeholder, initial, onSave, onEnd }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [title, setTitle] = useState(initial);
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const hasEnded = useRef(false);
  const problemId = useId();
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
    input.current?.scrollIntoView({ block: "nearest" });
  }, []);

  function end(how: NamingEnd): void {
    if (hasEnded.current) return;
    hasEnded.current = true;
    onEnd(how);
  }

  /** `isByKey` is false when the field lost the focus. */
  async function save(isByKey: boolean): Promise<void> {
    const given = title.trim();
    if (isSaving || hasEnded.current) return;
    if (given === initial && given !== "") return end(isByKey ? "cancelled" : "left");
    const wrong = problemOf(given);
    setProblem(wrong);
    if (wrong === undefined) await send(given, isByKey);
  }

  async function send(given: string, isByKey: boolean): Promise<void> {
    setSaving(true);
    try {
      await onSave(given);
      end(isByKey && document.activeElement === input.current ? "saved" : "left");
    } catch (error) {
      setProblem(messageOf(error));
      setSaving(false);
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") void save(true);
    if (event.key === "Escape") end("cancelled");
  }

  return (
    <>
      {/* The row takes its accessible name from its content. */}
      <Hidden>{label}</Hidden>
      <span className={classes.name}>
        <input
          ref={input}
          type="text"
          aria-label={label}
          placeholder={placeholder}
          aria-busy={isSaving}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
          readOnly={isSaving}
          value={title}
          onChange={({ currentTarget }) => {
            setTitle(currentTarget.value);
            setProblem(undefined);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => (problemOf(title.trim()) === undefined ? void save(false) : end("left"))}
          onContextMenu={(event) => event.stopPropagation()}
          onTouchStart={(event) => event.stopPropagation()}
          onDoubleClick={(event) => event.stopPropagation()}
        />
        {problem !== undefined && (
          <span id={problemId} role="alert" className={classes.problem}>
            {problem}
          </span>
        )}
      </span>
    </>
  );
}

function problemOf(title: string): string | undefined {
  if (title === "") return "Enter a name";
  return [...title].length > MAX_LENGTH ? `Use at most ${MAX_LENGTH} characters` : undefined;
}
