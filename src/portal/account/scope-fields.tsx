import { Checkbox, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { TokenEntry } from "../../client/routes.ts";

export type Scope = TokenEntry["scopes"][number];

const SCOPES: readonly { value: Scope; label: string; description: string }[] = [
  { value: "reports:read", label: "Read", description: "List, search and read reports." },
  {
    value: "reports:write",
    label: "Write",
    description: "Publish, rename, file, tag and share reports. Includes Read.",
  },
  { value: "reports:delete", label: "Delete", description: "Delete reports and versions. Includes no other scope." },
];

interface Props {
  value?: Scope[];
  onChange?(value: Scope[]): void;
  error?: ReactNode;
  "data-path"?: string;
}

/** Fields that choose what an access token may do. */
export function ScopeFields({ value = [], onChange, error, "data-path": path }: Props) {
  const isImplied = (scope: Scope) => scope === "reports:read" && value.includes("reports:write");
  function choose(chosen: string[]): void {
    const scopes = SCOPES.map((scope) => scope.value).filter((scope) => chosen.includes(scope));
    const implies = scopes.includes("reports:write") && !scopes.includes("reports:read");
    onChange?.(implies ? ["reports:read", ...scopes] : scopes);
  }
  return (
    <Checkbox.Group label="Scopes" value={value} onChange={choose} error={error}>
      <Stack gap="sm" my={6}>
        {SCOPES.map((scope, index) => (
          <Checkbox
            key={scope.value}
            value={scope.value}
            label={
              <>
                {scope.label}
                <Text size="xs" c="dimmed" component="span" display="block">
                  {scope.description}
                </Text>
              </>
            }
            disabled={isImplied(scope.value)}
            data-path={index === 0 ? path : undefined}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
