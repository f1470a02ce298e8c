import { Combobox, Modal, ScrollArea, Text, TextInput, useCombobox } from "@mantine/core";
import { useEffect, useMemo, useState } from "react";
import { messageOf } from "../shared/states.tsx";
import classes from "./cabinet.module.css";
import { useCabinet } from "./context.ts";
import { outcomeOf, type Target } from "./dropping.ts";
import { ancestorsOf, type Contents, type Entry, pathOf } from "./entries.ts";

/** Most places shown at once. */
const SHOWN = 60;

interface Place {
  /** Null is the top level. */
  id: string | null;
  label: string;
  /** Ids to expand so that the moved entry is visible. */
  path: readonly string[];
  /** Why the place is disabled. */
  refusal: string | undefined;
}

/** Moves a folder or tag by keyboard. */
export function MoveDialog({ entry, rowKey }: { entry: Entry; rowKey: string }) {
  const { contents, calls, ask, focusRow, setOpen } = useCabinet();
  const [query, setQuery] = useState("");
  const [failure, setFailure] = useState<string>();
  const places = useMemo(() => placesFor(entry, contents), [entry, contents]);
  const words = query.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  const found = places.filter(({ label }) => words.every((word) => label.toLocaleLowerCase().includes(word)));
  const close = () => {
    ask(undefined);
    focusRow(rowKey);
  };
  async function move(value: string): Promise<void> {
    const place = found.find(({ id }) => (id ?? "") === value);
    if (place === undefined || (entry.kind !== "folder" && entry.kind !== "tag")) return;
    try {
      await calls.move(entry.kind, entry.id, place.id);
      setOpen(place.path, true);
      close();
    } catch (error) {
      setFailure(messageOf(error));
    }
  }
  return (
    <Modal
      opened
      onClose={close}
      title={`Move ${entry.kind} ${entry.title}`}
      returnFocus={false}
      centered={false}
      transitionProps={{ duration: 0 }}
    >
      <PlacePicker found={found} query={query} onSeek={setQuery} failure={failure} onPick={move} onClose={close} />
    </Modal>
  );
}

interface PickerProps {
  found: readonly Place[];
  query: string;
  onSeek(text: string): void;
  failure: string | undefined;
  onPick(value: string): void;
  onClose(): void;
}

function PlacePicker({ found, query, onSeek, failure, onPick, onClose }: PickerProps) {
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const [, setListed] = useState(false);
  // The input reports its list only on the render after the list exists.
  useEffect(() => setListed(true), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: Enter picks the first result
  useEffect(() => void combobox.selectFirstOption(), [found.length, query]);
  return (
    <Combobox store={combobox} onOptionSubmit={onPick} withinPortal={false}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          data-autofocus
          label="Move to"
          placeholder="Find a place"
          value={query}
          error={failure}
          onChange={({ currentTarget }) => onSeek(currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <ScrollArea.Autosize
        mah="50vh"
        mt="sm"
        type="auto"
        viewportProps={{ tabIndex: 0, role: "group", "aria-label": "Places" }}
      >
        <Combobox.Options aria-label="Places to move to">
          {found.slice(0, SHOWN).map(({ id, label, refusal }) => (
            <Combobox.Option key={id ?? ""} value={id ?? ""} disabled={refusal !== undefined} className={classes.place}>
              {label}
              {refusal !== undefined && (
                <Text size="xs" component="span" display="block">
                  {refusal}
                </Text>
              )}
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>No matching places</Combobox.Empty>}
        </Combobox.Options>
      </ScrollArea.Autosize>
      {found.length > SHOWN && (
        <Text size="xs" c="dimmed" mt="xs">
          Type to find more places.
        </Text>
      )}
    </Combobox>
  );
}

/** Returns the top level first, then every possible parent. */
function placesFor(entry: Entry, { entries }: Contents): Place[] {
  const kind = entry.kind === "folder" ? "drawer" : "tag";
  const dragged = { kind: entry.kind === "folder" ? "folder" : "tag", id: entry.id } as const;
  const refusalOf = (target: Target) => {
    const outcome = outcomeOf(dragged, target, entries);
    if (outcome === undefined) return "It's already here.";
    return outcome.type === "refuse" ? outcome.reason : undefined;
  };
  const top: Place =
    entry.kind === "folder"
      ? { id: null, label: "Root (no drawer)", path: [], refusal: refusalOf("root") }
      : { id: null, label: "Top level", path: [], refusal: refusalOf("top") };
  const others = [...entries.values()].filter((other) => other.kind === kind && other.id !== entry.id);
  const below = others.map((other) => ({
    id: other.id,
    label: pathOf(entries, other),
    path: [other.id, ...ancestorsOf(entries, other).map(({ id }) => id)],
    refusal: refusalOf(other),
  }));
  return [top, ...below.sort((one, other) => one.label.localeCompare(other.label))];
}
