import { Combobox, Modal, ScrollArea, Text, TextInput, useCombobox } from "@mantine/core";
import { useMemo, useState } from "react";
import { messageOf } from "../shared/states.tsx";
import { useCabinet } from "./context.ts";
import { outcomeOf, type Target } from "./dropping.ts";
import { type Contents, type Entry, pathOf } from "./entries.ts";

/** Places shown at once. */
const SHOWN = 60;

interface Place {
  /** Null for the top. */
  id: string | null;
  label: string;
  /** Why it cannot go there. */
  refusal: string | undefined;
}

/** Moves a folder or a tag by typing where to, for those who do not drag. */
export function MoveDialog({ entry, rowKey }: { entry: Entry; rowKey: string }) {
  const { contents, calls, ask, focusRow, setOpen } = useCabinet();
  const [sought, setSought] = useState("");
  const [failure, setFailure] = useState<string>();
  const places = useMemo(() => placesFor(entry, contents), [entry, contents]);
  const words = sought.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
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
      if (place.id !== null) setOpen([place.id], true);
      close();
    } catch (error) {
      setFailure(messageOf(error));
    }
  }
  return (
    <Modal
      opened
      onClose={close}
      title={`Move ${entry.title}`}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <PlacePicker found={found} sought={sought} onSeek={setSought} failure={failure} onPick={move} />
    </Modal>
  );
}

interface PickerProps {
  found: readonly Place[];
  sought: string;
  onSeek(text: string): void;
  failure: string | undefined;
  onPick(value: string): void;
}

function PlacePicker({ found, sought, onSeek, failure, onPick }: PickerProps) {
  const combobox = useCombobox({ opened: true });
  return (
    <Combobox store={combobox} onOptionSubmit={onPick} withinPortal={false}>
      <Combobox.EventsTarget>
        <TextInput
          data-autofocus
          label="Move to"
          placeholder="Type to find a place"
          value={sought}
          error={failure}
          onChange={({ currentTarget }) => {
            onSeek(currentTarget.value);
            combobox.selectFirstOption();
          }}
        />
      </Combobox.EventsTarget>
      <ScrollArea.Autosize mah="50vh" mt="sm" type="auto" viewportProps={{ tabIndex: -1 }}>
        <Combobox.Options aria-label="Places">
          {found.slice(0, SHOWN).map(({ id, label, refusal }) => (
            <Combobox.Option key={id ?? ""} value={id ?? ""} disabled={refusal !== undefined}>
              {label}
              {refusal !== undefined && (
                <Text size="xs" component="span" display="block">
                  {refusal}
                </Text>
              )}
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>No such place</Combobox.Empty>}
        </Combobox.Options>
      </ScrollArea.Autosize>
      {found.length > SHOWN && (
        <Text size="xs" c="dimmed" mt="xs">
          There are more: type to find them.
        </Text>
      )}
    </Combobox>
  );
}

/** The top first, then all that the entry might stand in. */
function placesFor(entry: Entry, { entries }: Contents): Place[] {
  const kind = entry.kind === "folder" ? "drawer" : "tag";
  const dragged = { kind: entry.kind === "folder" ? "folder" : "tag", id: entry.id } as const;
  const refusalOf = (target: Target) => {
    const outcome = outcomeOf(dragged, target, entries);
    if (outcome === undefined) return "It is there already.";
    return outcome.type === "refuse" ? outcome.reason : undefined;
  };
  const top: Place =
    entry.kind === "folder"
      ? { id: null, label: "The root, in no drawer", refusal: refusalOf("root") }
      : { id: null, label: "The top, below no tag", refusal: refusalOf("top") };
  const others = [...entries.values()].filter((other) => other.kind === kind);
  const below = others.map((other) => ({ id: other.id, label: pathOf(entries, other), refusal: refusalOf(other) }));
  return [top, ...below.sort((one, other) => one.label.localeCompare(other.label))];
}
