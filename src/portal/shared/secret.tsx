import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Copy } from "./copy.tsx";

interface Props {
  label: string;
  text: string;
  /** What is copied, as in "Copy token". */
  what: string;
  /** That it is not shown again. */
  children: ReactNode;
  onDone(): void;
}

/** Something that is shown this once, until the reader says that they have it. */
export function Secret({ label, text, what, children, onDone }: Props) {
  return (
    <Stack>
      <Alert icon={<IconEyeOff />} color="yellow">
        {children}
      </Alert>
      <TextInput
        label={label}
        value={text}
        readOnly
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        autoFocus
        onFocus={({ currentTarget }) => currentTarget.select()}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        rightSection={<Copy text={text} what={what} />}
      />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
