import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { type ReactNode, type RefObject, useState } from "react";
import { FormFailure } from "./form.tsx";
import { messageOf } from "./states.tsx";

interface Props {
  isOpen: boolean;
  title: string;
  /** The consequences. */
  children: ReactNode;
  /** Label of the confirming button. */
  action: string;
  onConfirm(): Promise<unknown>;
  onClose(): void;
  /** Takes the focus if the element that opened the dialog is gone. */
  focusAfter?: RefObject<HTMLElement | null>;
}

/** Confirms an irreversible action and shows its error. */
export function ConfirmDialog({ isOpen, title, children, action, onConfirm, onClose, focusAfter }: Props) {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();

  function close(): void {
    setFailure(undefined);
    onClose();
  }

  async function confirm(): Promise<void> {
    if (isSending) return;
    setSending(true);
    setFailure(undefined);
    await onConfirm().then(close, (error) => setFailure(messageOf(error)));
    setSending(false);
  }

  return (
    <Modal opened={isOpen} onClose={close} title={title} onExitTransitionEnd={() => focusLeft(focusAfter?.current)}>
      <Stack>
        <Text component="div">{children}</Text>
        <FormFailure>{failure}</FormFailure>
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button color="red" onClick={confirm} aria-disabled={isSending} mod={{ loading: isSending }}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function focusLeft(place: HTMLElement | null | undefined): void {
  if (document.activeElement === document.body) place?.focus();
}
