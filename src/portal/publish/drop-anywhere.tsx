import { Center, Group, Paper, Portal, Text } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useWorkspace } from "../shared/use-account.ts";
import { emptyTransfer, usePutDrop } from "./drop-box.tsx";

/** Milliseconds without news of a drag after which it has left the window. */
const GONE_AFTER = 150;

/** Takes files that are dropped anywhere on the page. */
export function DropAnywhere({ owner }: { owner: string }) {
  const workspace = useWorkspace(owner);
  const put = usePutDrop();
  const navigate = useNavigate();
  const isOver = useFileDrag(workspace !== undefined, (transfer) => {
    put(emptyTransfer(transfer));
    // A page that has it open keeps what its address says.
    if (!location.pathname.endsWith("/publish")) void navigate({ to: "/w/$owner/publish", params: { owner } });
  });
  if (!isOver || workspace === undefined) return null;
  return (
    <Portal>
      <Center pos="fixed" inset={0} p="md" style={overlayStyle}>
        <Paper p="lg" radius="lg" shadow="lg" withBorder role="status">
          <Group wrap="nowrap">
            <IconUpload aria-hidden />
            <Text fw={600}>Drop to publish in {workspace.display_name ?? workspace.slug}</Text>
          </Group>
        </Paper>
      </Center>
    </Portal>
  );
}

const overlayStyle = {
  zIndex: 1000,
  background: "color-mix(in srgb, var(--mantine-primary-color-filled) 25%, transparent)",
  outline: "3px dashed var(--mantine-primary-color-filled)",
  outlineOffset: -12,
} as const;

/** Whether files from elsewhere are being dragged over the window; calls when they are let go. */
function useFileDrag(isWanted: boolean, onDrop: (transfer: DataTransfer) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isWanted) return;
    const following = new AbortController();
    followFileDrags({ signal: following.signal, onOver: setOver, onDrop });
    return () => following.abort();
  }, [isWanted, onDrop]);
  return isOver;
}

interface Following {
  signal: AbortSignal;
  onOver(isOver: boolean): void;
  onDrop(transfer: DataTransfer): void;
}

function followFileDrags({ signal, onOver, onDrop }: Following): void {
  let isInner = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** A picture of this page that is dragged counts as a file as well. */
  const filesOf = ({ dataTransfer }: DragEvent) =>
    !isInner && dataTransfer?.types.includes("Files") ? dataTransfer : undefined;

  function over(event: DragEvent): void {
    const transfer = filesOf(event);
    if (transfer === undefined) return;
    clearTimeout(timer);
    event.preventDefault();
    transfer.dropEffect = "copy";
    onOver(true);
  }

  const on = (
    type: "dragstart" | "dragend" | "dragenter" | "dragover" | "dragleave" | "drop",
    hear: (event: DragEvent) => void,
  ) => addEventListener(type, hear, { signal });

  on("dragstart", () => {
    isInner = true;
  });
  on("dragend", () => {
    isInner = false;
  });
  on("dragenter", over);
  on("dragover", over);
  on("dragleave", (event) => {
    if (event.relatedTarget === null) timer = setTimeout(onOver, GONE_AFTER, false);
  });
  on("drop", (event) => {
    const transfer = filesOf(event);
    isInner = false;
    onOver(false);
    if (transfer === undefined) return;
    event.preventDefault();
    onDrop(transfer);
  });
}
