import { Button, Group, NativeSelect, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import { type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AuditEntryView } from "../../client/routes.ts";
import { Loaded } from "../shared/loaded.tsx";
import { MoreButton } from "../shared/more-button.tsx";
import { AuditList } from "./audit-list.tsx";

/** Milliseconds of silence after which typed text is searched for. */
const TYPING = 300;

interface Page {
  entries: AuditEntryView[];
  next_cursor: string | null;
}

export interface AuditQuery {
  action?: string;
  actor?: string;
  item?: string;
  since?: string;
  until?: string;
}

interface Props {
  queryKey: QueryKey;
  kinds: readonly { value: string; label: string }[];
  /** The address that exports what the filter selects. */
  exportPath(query: AuditQuery): string;
  load(query: AuditQuery & { cursor?: string }, signal: AbortSignal): Promise<Page>;
  showsWorkspace?: boolean;
}

/** An audit log with filters and export. */
export function AuditLog({ queryKey, kinds, exportPath, load, showsWorkspace = false }: Props) {
  const [fields, setFields] = useState<Required<AuditQuery>>(EMPTY);
  const [typed] = useDebouncedValue(fields, TYPING);
  const filter = filled(typed);
  const query = useInfiniteQuery({
    queryKey: [...queryKey, filter],
    queryFn: ({ pageParam, signal }) =>
      load({ ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    staleTime: 0,
  });
  const fieldOf = (name: keyof AuditQuery) => ({
    value: fields[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setFields((before) => ({ ...before, [name]: value })),
  });
  return (
    <Stack>
      <Group component="form" role="search" aria-label="Filter" gap="sm" align="flex-end">
        <NativeSelect label="Action" data={[...kinds]} flex="1 1 150px" {...fieldOf("action")} />
        <TextInput label="Who" placeholder="Username" flex="1 1 150px" {...fieldOf("actor")} />
        <TextInput label="Report or other subject" placeholder="weekly-sales" flex="1 1 220px" {...fieldOf("item")} />
        <TextInput label="From" type="date" flex="1 1 150px" {...fieldOf("since")} />
        <TextInput label="Before" type="date" flex="1 1 150px" {...fieldOf("until")} />
        <Button
          component="a"
          variant="default"
          href={exportPath(filter)}
          download
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Export
        </Button>
      </Group>
      <Paper withBorder px={{ base: "md", sm: "lg" }} py="xs" component="section" aria-label="Entries">
        <Loaded query={query} lines={6}>
          {({ pages }) => {
            const entries = pages.flatMap((page) => page.entries);
            return entries.length === 0 && !query.hasNextPage ? (
              <Text c="dimmed" py="md">
                No matching entries
              </Text>
            ) : (
              <AuditList entries={entries} showsWorkspace={showsWorkspace} />
            );
          }}
        </Loaded>
      </Paper>
      <MoreButton query={query} />
    </Stack>
  );
}

const EMPTY: Required<AuditQuery> = { action: "", actor: "", item: "", since: "", until: "" };

/** Returns the fields that aren't empty. */
const filled = (fields: Required<AuditQuery>): AuditQuery =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value.trim() === "" ? [] : [[name, value.trim()]])),
  );
