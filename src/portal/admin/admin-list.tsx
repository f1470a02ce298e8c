import { Paper, Stack, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loaded } from "../shared/loaded.tsx";
import { MoreButton } from "../shared/more-button.tsx";
import { Rows } from "../shared/rows.tsx";

interface Props<Page, Entry> {
  /** What is listed, such as "People". */
  label: string;
  query: UseInfiniteQueryResult<{ pages: Page[] }>;
  entriesOf(page: Page): readonly Entry[];
  /** Shown in place of an empty list. */
  nothing: string;
  children(entry: Entry): ReactNode;
}

/** A list that loads more on demand. */
export const AdminList = <Page, Entry>({ label, query, entriesOf, nothing, children }: Props<Page, Entry>) => (
  <Stack>
    <Paper withBorder px={{ base: "md", sm: "lg" }} py="xs" component="section" aria-label={label}>
      <Loaded query={query} lines={6}>
        {({ pages }) => {
          const entries = pages.flatMap(entriesOf);
          return entries.length === 0 ? (
            <Text c="dimmed" py="md">
              {nothing}
            </Text>
          ) : (
            <Rows label={label}>{entries.map(children)}</Rows>
          );
        }}
      </Loaded>
    </Paper>
    <MoreButton query={query} />
  </Stack>
);

interface SearchProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

export const SearchField = ({ label, value, onChange }: SearchProps) => (
  <TextInput
    type="search"
    aria-label={label}
    placeholder={label}
    leftSection={<IconSearch size={16} aria-hidden />}
    flex="1 1 auto"
    miw={240}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
