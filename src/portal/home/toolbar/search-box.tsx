import { CloseButton, Kbd, TextInput } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useRef } from "react";
import { useSearchText } from "./use-search-text.ts";

/** Searches the workspace while typing. */
export function SearchBox({ owner }: { owner: string }) {
  const input = useRef<HTMLInputElement>(null);
  const { text, type, search } = useSearchText(owner);
  useHotkeys([["/", () => document.querySelector("[aria-modal=true]") === null && input.current?.focus()]]);

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
    <TextInput
      ref={input}
      type="search"
      role="searchbox"
      flex={1}
      miw={0}
      maw={640}
      me="auto"
      aria-label={`Search ${owner}`}
      aria-keyshortcuts="/"
      placeholder="Search"
      autoComplete="off"
      spellCheck={false}
      maxLength={500}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === "" ? (
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            /
          </Kbd>
        ) : (
          <CloseButton size="sm" aria-label="Clear search" onClick={clear} />
        )
      }
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
