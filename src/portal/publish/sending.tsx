import { Button, Group, Modal, Progress, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { describeBytes } from "../shared/amounts.ts";
import type { Progress as Sent } from "./upload.ts";

/** Upload progress with a way to cancel. */
export function SendingPanel({ progress, onCancel }: { progress: Sent; onCancel: () => void }) {
  const { sent, total } = progress;
  const percent = total === 0 ? 0 : Math.floor((sent / total) * 100);
  return (
    <Stack gap="xs" mt="md">
      <Progress.Root size="lg">
        <Progress.Section value={percent} aria-label="Upload" animated={percent === 100} />
      </Progress.Root>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {describeProgress(progress)}
        </Text>
        <Button variant="default" autoFocus onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}

function describeProgress({ sent, total }: Sent): string {
  if (total === 0) return "Reading files…";
  if (sent === total) return "Uploaded. Waiting for the server…";
  return `${describeBytes(sent)} of ${describeBytes(total)}`;
}

/** Confirms navigation that would cancel an upload. */
export function LeaveGuard({ isBusy }: { isBusy: () => boolean }) {
  const blocker = useBlocker({ shouldBlockFn: isBusy, enableBeforeUnload: isBusy, withResolver: true });
  const isOpen = blocker.status === "blocked";
  return (
    <Modal opened={isOpen} onClose={() => blocker.reset?.()} title="Leave this page?" centered>
      <Text size="sm">The upload in progress will be cancelled.</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => blocker.proceed?.()}>
          Leave
        </Button>
        <Button data-autofocus onClick={() => blocker.reset?.()}>
          Stay
        </Button>
      </Group>
    </Modal>
  );
}
