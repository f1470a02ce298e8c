import { Button, TextInput, Tooltip, VisuallyHidden } from "@mantine/core";
import { type FocusEvent, type FormEvent, useState } from "react";
import type { Item } from "../types.ts";
import classes from "./bar.module.css";
import { useTitle } from "./use-title.ts";

const MAX_LENGTH = 300;

interface TitleFormProps {
  item: Item;
  onClose(): void;
}

/** A field in place of the report's title. */
export function TitleForm({ item, onClose }: TitleFormProps) {
  const { setTitle, isBusy } = useTitle(item);
  const [text, setText] = useState(item.title);
  const save = (wanted: string | null) => {
    if (isBusy) return;
    const title = wanted?.trim() ?? "";
    const next = title === "" ? null : title;
    if (title === item.title || next === item.display_title) onClose();
    else void setTitle(next).then((isDone) => isDone && onClose());
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(text);
  };
  const leave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    // Another window in front is no decision.
    if (!currentTarget.contains(relatedTarget) && document.hasFocus()) save(text);
  };
  return (
    <form className={classes.titleForm} onSubmit={submit} onBlur={leave}>
      <VisuallyHidden component="h1">{item.title}</VisuallyHidden>
      <TextInput
        aria-label="Title"
        placeholder={item.document_title}
        maxLength={MAX_LENGTH}
        size="sm"
        dir="auto"
        autoComplete="off"
        autoFocus
        value={text}
        aria-busy={isBusy}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          onClose();
        }}
      />
      {item.display_title !== null && (
        <Tooltip label={item.document_title} multiline maw={320}>
          <Button variant="subtle" color="gray" style={{ flex: "none" }} onClick={() => save(null)}>
            Use the document's title
          </Button>
        </Tooltip>
      )}
    </form>
  );
}
