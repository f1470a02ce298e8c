import { IconCommand, IconSearch, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useRef } from "react";
import { useOpenPalette } from "../../palette/palette.tsx";
import { Hidden } from "../../shared/hidden.tsx";
import { useKeys } from "../../shared/keyboard.ts";
import { Keys } from "../../shared/keys.tsx";
import styles from "./search-box.module.css";
import { useSearchText } from "./use-search-text.ts";

/** Searches the workspace while typing, and leads to the command palette. */
export function SearchBox({ owner }: { owner: string }) {
  const input = useRef<HTMLInputElement>(null);
  const { text, type, search } = useSearchText(owner);
  const openPalette = useOpenPalette();
  useKeys({ "/": () => input.current?.focus() });

  const clear = () => {
    search("");
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") search(text);
    else if (event.key === "Escape" && text !== "") clear();
    else if (event.key === "Escape") input.current?.blur();
  };
  return (
    <div className={styles.box}>
      <IconSearch size={16} aria-hidden />
      <input
        ref={input}
        type="search"
        className={styles.input}
        aria-label={`Search ${owner}`}
        aria-keyshortcuts="/"
        placeholder="Search"
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {text !== "" && (
        <button type="button" className={styles.button} aria-label="Clear search" onClick={clear}>
          <IconX size={16} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className={styles.button}
        aria-keyshortcuts="Control+K Meta+K"
        title="Search everywhere and run commands"
        onClick={openPalette}
      >
        <Hidden>Command palette</Hidden>
        <span aria-hidden>
          <Keys keys="mod K" />
        </span>
        <IconCommand size={18} aria-hidden className={styles.onPhones} />
      </button>
    </div>
  );
}
