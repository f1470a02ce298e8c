import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";
import { type Ref, useId } from "react";
import { SendingPanel } from "./sending.tsx";
import type { NameCheck } from "./use-name-check.ts";
import type { Refusal, usePublish } from "./use-publish.ts";

interface Props {
  sending: ReturnType<typeof usePublish>;
  check: NameCheck;
  /** Why the report can't be published yet; pressing the button then leads there. */
  obstacle: string | undefined;
  ref: Ref<HTMLButtonElement>;
}

/** Submits the form and shows progress and errors. */
export function SubmitPanel({ sending: { progress, refusal, cancel }, check, obstacle, ref }: Props) {
  const id = useId();
  if (progress !== undefined) return <SendingPanel progress={progress} onCancel={cancel} />;
  return (
    <Stack gap="xs">
      {refusal !== undefined && refusal.kind !== "name" && <RefusalNotice refusal={refusal} />}
      <Button
        type="submit"
        size="md"
        ref={ref}
        fullWidth
        aria-disabled={obstacle !== undefined}
        mod={{ disabled: obstacle !== undefined }}
        aria-describedby={obstacle === undefined ? undefined : id}
      >
        {refusal?.kind === "other" ? "Try again" : labelFor(check)}
      </Button>
      {obstacle !== undefined && (
        <Text id={id} size="sm" c="dimmed" ta="center">
          {obstacle}
        </Text>
      )}
    </Stack>
  );
}

const labelFor = (check: NameCheck): string =>
  check.kind === "version" && check.versionNo !== undefined ? `Publish version ${check.versionNo}` : "Publish";

function RefusalNotice({ refusal: { kind, message } }: { refusal: Refusal }) {
  if (kind === "cancelled") {
    return (
      <Alert color="gray" icon={<IconInfoCircle aria-hidden />} role="status">
        {message}
      </Alert>
    );
  }
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="Couldn't publish">
      {message}{" "}
      {kind === "signed-out" && (
        <Anchor href="/-/sign-in" target="_blank" inherit c="inherit" underline="always">
          Sign in in another tab, then try again
        </Anchor>
      )}
    </Alert>
  );
}
