import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { Component, type ReactNode, Suspense } from "react";
import { MissingPart } from "./missing-part.ts";
import { RELOAD_REASON, RELOAD_TITLE, reload } from "./states.tsx";

interface PartBoundaryProps {
  /** Lazily loaded dialogs. */
  children: ReactNode;
  /** Closes the dialog that couldn't be loaded. */
  onDismiss(): void;
}

/** Offers to reload the page if a dialog can't be loaded, without replacing the page. */
export class PartBoundary extends Component<PartBoundaryProps, { error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    const { children, onDismiss } = this.props;
    const { error } = this.state;
    if (error === undefined) return <Suspense fallback={null}>{children}</Suspense>;
    if (!isMissingPart(error)) throw error;
    const close = () => {
      this.setState({ error: undefined });
      onDismiss();
    };
    return (
      <Modal opened onClose={close} title={RELOAD_TITLE} closeButtonProps={{ "aria-label": "Close" }}>
        <Stack>
          <Text>{RELOAD_REASON}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Not now
            </Button>
            <Button onClick={reload} data-autofocus>
              Reload page
            </Button>
          </Group>
        </Stack>
      </Modal>
    );
  }
}

const isMissingPart = (error: unknown): boolean => error instanceof MissingPart;
