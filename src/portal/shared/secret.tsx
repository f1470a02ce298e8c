import { Alert, Button, CopyButton, Group, Stack, TextInput } from "@mantine/core";
import { IconCheck, IconCopy, IconEyeOff } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** Milliseconds for which the button confirms the copy. */
const COPIED = 2_000;

interface Props {
  label: string;
  text: string;
  /** What is copied, as in "Copy token". */
  what: string;
  /** Says that the secret is shown only once. */
  children: ReactNode;
  onDone(): void;
}

/** Shows a secret once, until the user dismisses it. */
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
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
        <CopyButton value={text} timeout={COPIED}>
          {({ copied, copy }) => (
            <Button
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            >
              {copied ? "Copied" : `Copy ${what}`}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}
