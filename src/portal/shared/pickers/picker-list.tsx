import { Box, Checkbox, Group, Text, TextInput } from "@mantine/core";
import { IconCheck, IconPlus, IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import styles from "./picker-list.module.css";

export interface PickerOption {
  id: string;
  title: string;
  /** Location, such as "Sales / ", shown dimmed before the title. */
  path?: string;
  /** In multiple choice: whether all or some have it. */
  checked?: boolean | "mixed";
  /** In single choice. */
  isCurrent?: boolean;
  /** Creates something new. */
  isCreation?: boolean;
}

interface PickerListProps {
  label: string;
  placeholder: string;
  options: readonly PickerOption[];
  query: string;
  onQuery(query: string): void;
  onPick(option: PickerOption): void;
  /** Whether several can be chosen. */
  isMultiple?: boolean;
  isBusy?: boolean;
  /** Shown without options. */
  empty: string;
  footer?: ReactNode;
}

const NONE = -1;

const MOVES: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (Math.max(index, 0) - 1 + count) % count,
  PageDown: (index, count) => Math.min(index + 8, count - 1),
  PageUp: (index) => Math.max(index - 8, 0),
};

/** An input with a list of matches, controlled from the input by arrow keys and Enter. */
export function PickerList({ label, placeholder, options, query, onQuery, onPick, ...rest }: PickerListProps) {
  const { isMultiple = false, isBusy = false, empty, footer } = rest;
  const id = useId();
  const [wanted, setWanted] = useState(NONE);
  // Enter alone picks nothing until the user types or moves.
  const active = Math.min(wanted === NONE && query.trim() !== "" ? 0 : wanted, options.length - 1);
  const optionId = (index: number) => `${id}-${index}`;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || options.length === 0) return;
    const move = MOVES[event.key];
    const option = options[active];
    if (move !== undefined) {
      const next = move(active, options.length);
      setWanted(next);
      document.getElementById(optionId(next))?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && option !== undefined && !isBusy) {
      onPick(option);
    } else {
      return;
    }
    event.preventDefault();
  };

  return (
    <Box aria-busy={isBusy}>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={active === NONE ? undefined : optionId(active)}
        autoComplete="off"
        leftSection={<IconSearch size={16} aria-hidden />}
        placeholder={placeholder}
        value={query}
        maxLength={240}
        onChange={(event) => {
          setWanted(NONE);
          onQuery(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label={label} aria-multiselectable={isMultiple} className={styles.options}>
        {options.map((option, index) => (
          // The input keeps the focus and handles the keys.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          // biome-ignore lint/a11y/useFocusableInteractive: see above
          <div
            key={option.id}
            id={optionId(index)}
            role="option"
            aria-selected={isMultiple ? option.checked === true : option.isCurrent === true}
            aria-checked={isMultiple ? (option.checked ?? false) : undefined}
            data-active={index === active || undefined}
            className={styles.option}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              setWanted(index);
              if (!isBusy) onPick(option);
            }}
          >
            <OptionFace option={option} isMultiple={isMultiple} />
          </div>
        ))}
      </div>
      {options.length === 0 && (
        <Text size="sm" c="dimmed" py="sm" role="status">
          {empty}
        </Text>
      )}
      {footer !== undefined && (
        <Text size="xs" c="dimmed" pt={6}>
          {footer}
        </Text>
      )}
    </Box>
  );
}

function OptionFace({ option, isMultiple }: { option: PickerOption; isMultiple: boolean }) {
  const { title, path, checked, isCurrent, isCreation } = option;
  return (
    <Group gap={8} wrap="nowrap">
      {isCreation && <IconPlus size={16} aria-hidden style={{ flex: "none" }} />}
      {isMultiple && !isCreation && (
        <Checkbox.Indicator
          size="xs"
          checked={checked === true}
          indeterminate={checked === "mixed"}
          style={{ flex: "none" }}
        />
      )}
      <Text size="sm" flex={1} miw={0}>
        {isCreation && "Create "}
        {path !== undefined && (
          <Text span size="sm" c="dimmed">
            {path}
          </Text>
        )}
        {isCreation ? `“${title}”` : title}
      </Text>
      {isCurrent && <IconCheck size={16} aria-hidden style={{ flex: "none" }} />}
    </Group>
  );
}
