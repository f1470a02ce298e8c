import { Combobox, Group, Kbd, Modal, ScrollArea, Text, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconFileText, IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { searchRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { keys } from "../api/queries.ts";
import { referenceText } from "../api/references.ts";
import { type Command, useCommandList } from "../shared/commands.tsx";
import { chooseCommands } from "./choose.ts";
import classes from "./palette.module.css";
import { useGlobalCommands } from "./use-global-commands.ts";

const FIND = "Search or run a command";
const REPORTS = 7;
/** Distinguishes reports from commands. */
const REPORT = "report:";
/** Milliseconds after the last keypress before the search starts. */
const PAUSE = 120;

interface DialogProps {
  owner: string;
  isOpen: boolean;
  onClose(): void;
}

export function PaletteDialog({ owner, isOpen, onClose }: DialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="Command palette"
      withCloseButton={false}
      size="lg"
      yOffset="10vh"
      padding={0}
      styles={{ header: { position: "absolute", minHeight: 0, opacity: 0, pointerEvents: "none" } }}
    >
      {isOpen && <Commands owner={owner} onDone={onClose} />}
    </Modal>
  );
}

function Commands({ owner, onDone }: { owner: string; onDone(): void }) {
  const [query, setQuery] = useState("");
  const combobox = useCombobox({ opened: true, onDropdownClose: onDone });
  const here = useCommandList();
  const everywhere = useGlobalCommands(owner);
  const groups = chooseCommands([...here, ...everywhere], query);
  const reports = useFoundReports(owner, query);
  const navigate = useNavigate();

  const runOf = (value: string): (() => void) | undefined => {
    const reference = reports.map(referenceText).find((candidate) => REPORT + candidate === value);
    if (reference !== undefined) return () => void navigate({ to: "/r/$reference", params: { reference } });
    return groups.flatMap(({ commands }) => commands).find(({ id }) => id === value)?.run;
  };
  const perform = (value: string) => {
    const run = runOf(value);
    // Closes first, so that the focus is back on the page before the command moves it.
    onDone();
    if (run !== undefined) setTimeout(run);
  };
  const [bestReport] = reports;
  const best = bestReport ? REPORT + referenceText(bestReport) : (groups[0]?.commands[0]?.id ?? "");
  const shown = `${reports.map(({ code }) => code).join()} ${groups.flatMap(({ commands }) => commands.map(({ id }) => id)).join()}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: Enter runs the best result
  useEffect(() => void combobox.selectFirstOption(), [shown]);

  return (
    <Combobox store={combobox} onOptionSubmit={perform}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          data-autofocus
          size="lg"
          variant="unstyled"
          px="md"
          aria-label={FIND}
          placeholder={FIND}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={query}
          onKeyDown={({ key }) => {
            // A fast typist presses Enter before anything is selected.
            if (key === "Enter" && combobox.getSelectedOptionIndex() < 0) perform(best);
          }}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <ScrollArea.Autosize
        mah="min(60vh, 460px)"
        type="scroll"
        p="xs"
        className={classes.results}
        viewportProps={{ tabIndex: 0, role: "group", "aria-label": "Results" }}
      >
        <Combobox.Options aria-label="Commands and reports">
          {reports.length > 0 && (
            <Combobox.Group label="Reports">
              {reports.map((report) => (
                <Combobox.Option key={report.code} value={REPORT + referenceText(report)}>
                  <ReportLine {...report} />
                </Combobox.Option>
              ))}
            </Combobox.Group>
          )}
          {groups.map(({ name, commands }) => (
            <Combobox.Group key={name} label={name}>
              {commands.map((command) => (
                <Combobox.Option key={command.id} value={command.id}>
                  <CommandLine {...command} />
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
          {reports.length === 0 && groups.length === 0 && <Combobox.Empty>No results</Combobox.Empty>}
        </Combobox.Options>
      </ScrollArea.Autosize>
    </Combobox>
  );
}

const ReportLine = ({ title, name }: { title: string; name?: string | undefined }) => (
  <Group gap="sm" wrap="nowrap">
    <IconFileText size={18} aria-hidden style={{ flex: "none" }} />
    <Text size="sm" truncate flex={1}>
      {title}
    </Text>
    {name !== undefined && (
      <Text size="xs" className={classes.name} truncate maw="45%">
        {name}
      </Text>
    )}
  </Group>
);

const CommandLine = ({ label, hint }: Command) => (
  <Group justify="space-between" wrap="nowrap">
    <Text size="sm" truncate>
      {label}
    </Text>
    {hint !== undefined && <Kbd>{hint}</Kbd>}
  </Group>
);

/** Returns the matching reports; until the server answers, the previous ones that match what is typed. */
function useFoundReports(owner: string, query: string) {
  const typed = query.trim();
  const [q] = useDebouncedValue(typed, PAUSE);
  const { data, isPlaceholderData } = useQuery({
    queryKey: [...keys.items(owner), "palette", q],
    queryFn: () => api.call(searchRoute, { query: { owner, q, limit: REPORTS } }),
    placeholderData: keepPreviousData,
  });
  const items = data?.items ?? [];
  return q === typed && !isPlaceholderData ? items : items.filter((item) => fits(item, typed));
}

function fits({ title, name = "" }: { title: string; name?: string | undefined }, typed: string): boolean {
  const text = `${title} ${name}`.toLocaleLowerCase();
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
