import { Group, Kbd, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import { IconFileText, IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { searchRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { keys } from "../api/queries.ts";
import { referenceText } from "../api/references.ts";
import { type Command, useCommandList } from "../shared/commands.tsx";
import { chooseCommands } from "./choose.ts";
import { useGlobalCommands } from "./use-global-commands.ts";

const REPORTS = 7;
/** Milliseconds that one may pause between two letters. */
const PAUSE = 120;

interface DialogProps {
  owner: string;
  isOpen: boolean;
  onClose(): void;
}

export function PaletteDialog({ owner, isOpen, onClose }: DialogProps) {
  const [query, setQuery] = useState("");
  const close = () => {
    setQuery("");
    onClose();
  };
  return (
    <Spotlight.Root
      forceOpened={isOpen}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={close}
      scrollable
      maxHeight="min(60vh, 480px)"
      clearQueryOnClose={false}
    >
      <Spotlight.Search
        placeholder="Find a report, or something to do"
        aria-label="Find a report, or something to do"
        leftSection={<IconSearch size={18} aria-hidden />}
      />
      <Spotlight.ActionsList>{isOpen && <Found owner={owner} query={query} onDone={close} />}</Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

interface FoundProps {
  owner: string;
  query: string;
  onDone(): void;
}

function Found({ owner, query, onDone }: FoundProps) {
  const here = useCommandList();
  const everywhere = useGlobalCommands(owner);
  const groups = chooseCommands([...here, ...everywhere], query);
  const reports = useFoundReports(owner, query);
  const navigate = useNavigate();
  const perform = (run: () => void) => {
    // First closed, so that the focus is back on the page before the command takes it elsewhere.
    onDone();
    setTimeout(run);
  };
  const open = (reference: string) => perform(() => void navigate({ to: "/r/$reference", params: { reference } }));
  return (
    <>
      {reports.length > 0 && (
        <Spotlight.ActionsGroup label="Reports">
          {reports.map((report) => (
            <Spotlight.Action
              key={report.code}
              label={report.title}
              {...(report.name === undefined ? {} : { description: report.name })}
              leftSection={<IconFileText size={18} aria-hidden />}
              onClick={() => open(referenceText(report))}
            />
          ))}
        </Spotlight.ActionsGroup>
      )}
      {groups.map(({ name, commands }) => (
        <Spotlight.ActionsGroup key={name} label={name}>
          {commands.map((command) => (
            <CommandAction key={command.id} command={command} onClick={() => perform(command.run)} />
          ))}
        </Spotlight.ActionsGroup>
      ))}
      {reports.length === 0 && groups.length === 0 && <Spotlight.Empty>Nothing found</Spotlight.Empty>}
    </>
  );
}

const CommandAction = ({ command: { label, hint }, onClick }: { command: Command; onClick: () => void }) => (
  <Spotlight.Action onClick={onClick}>
    <Group justify="space-between" w="100%" wrap="nowrap">
      <Text size="sm">{label}</Text>
      {hint !== undefined && <Kbd>{hint}</Kbd>}
    </Group>
  </Spotlight.Action>
);

function useFoundReports(owner: string, query: string) {
  const [q] = useDebouncedValue(query.trim(), PAUSE);
  const { data } = useQuery({
    queryKey: [...keys.items(owner), "palette", q],
    queryFn: () => api.call(searchRoute, { query: { owner, q, limit: REPORTS } }),
    placeholderData: keepPreviousData,
  });
  return data?.items ?? [];
}
