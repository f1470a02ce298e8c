import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { messageOf, SkeletonLines } from "./states.tsx";

interface Props<Data> {
  query: Pick<UseQueryResult<Data>, "data" | "error" | "refetch">;
  /** Approximate number of placeholder lines. */
  lines: number;
  children: (data: Data) => ReactNode;
}

/** Shows a query's data, placeholder or error. */
export function Loaded<Data>({ query: { data, error, refetch }, lines, children }: Props<Data>) {
  if (data !== undefined) return children(data);
  if (error === null) return <SkeletonLines lines={lines} height={32} />;
  return (
    <Alert color="red" icon={<IconAlertTriangle />} role="alert">
      <Group justify="space-between">
        <Text size="sm">{messageOf(error)}</Text>
        <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
          Try again
        </Button>
      </Group>
    </Alert>
  );
}
