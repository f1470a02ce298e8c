import { Center, Group, Paper, Portal, Text } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useMatch, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useWorkspace } from "../shared/use-account.ts";
import { emptyTransfer, usePutDrop } from "./drop-box.tsx";

/** Milliseconds after which a drag that left an element has left the window. */
const LEFT_AFTER = 150;
/** Milliseconds without drag events after which a drag has ended elsewhere; they come at least three times a second. */
const LOST_AFTER = 1000;

/** Accepts files dropped anywhere on the page. */
export function DropAnywhere({ owner }: { owner: string }) {
  const workspace = useWorkspace(owner);
  const put = usePutDrop();
  const navigate = useNavigate();
  const isThere = useMatch({ from: "/w/$owner/publish", shouldThrow: false }) !== undefined;
  const isOver = useFileDrag(workspace !== undefined, (transfer) => {
    put(emptyTransfer(transfer));
    if (!isThere) void navigate({ to: "/w/$owner/publish", params: { owner } });
  });
  if (!isOver || workspace === undefined) return null;
  return (
    <Portal>
      <Center pos="fixed" inset={0} p="md" style={overlayStyle}>
        <Paper p="lg" radius="lg" shadow="lg" withBorder role="status">
          <Group wrap="nowrap">
            <IconUpload aria-hidden />
            <Text fw={500}>Drop to publish to {workspace.display_name ?? workspace.slug}</Text>
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

/** Returns whether external files are being dragged over the window, and calls back when they are dropped. */
function useFileDrag(isWanted: boolean, onDrop: (transfer: DataTransfer) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    if (!isWanted) return;
    const following = new AbortController();
    followFileDrags({ signal: following.signal, onOver: setOver, onDrop: (transfer) => latest.current(transfer) });
    return () => following.abort();
  }, [isWanted]);
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

  /** A dragged image of this page counts as a file too. */
  const filesOf = ({ dataTransfer }: DragEvent) =>
    !isInner && dataTransfer?.types.includes("Files") ? dataTransfer : undefined;

  function over(event: DragEvent): void {
    const transfer = filesOf(event);
    if (transfer === undefined) return;
    event.preventDefault();
    transfer.dropEffect = "copy";
    onOver(true);
    endIn(LOST_AFTER);
  }

  function endIn(delay: number): void {
    clearTimeout(timer);
    timer = setTimeout(onOver, delay, false);
  }

  const on = (
    type: "dragstart" | "dragend" | "dragenter" | "dragover" | "dragleave" | "drop",
    hear: (event: DragEvent) => void,
  ) => addEventListener(type, hear, { signal });

  signal.addEventListener("abort", () => clearTimeout(timer));
  on("dragstart", () => {
    isInner = true;
  });
  on("dragend", () => {
    isInner = false;
  });
  on("dragenter", over);
  on("dragover", over);
  on("dragleave", (event) => {
    if (event.relatedTarget === null) endIn(LEFT_AFTER);
  });
  on("drop", (event) => {
    const transfer = filesOf(event);
    isInner = false;
    endIn(0);
    if (transfer === undefined) return;
    event.preventDefault();
    onDrop(transfer);
  });
}
