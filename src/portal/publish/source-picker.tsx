import { Button, Group, Paper, Stack, Text, Textarea } from "@mantine/core";
import { useDisclosure, useWindowEvent } from "@mantine/hooks";
import { IconClipboard, IconFile, IconFolder, IconUpload } from "@tabler/icons-react";
import { type ReactNode, type Ref, useRef, useState } from "react";
import { describeBytes, describeNumber } from "../shared/amounts.ts";
import { notifyWarning } from "../shared/notify.ts";
import type { Account, Workspace } from "../shared/use-account.ts";
import { looksLikeHtml, pastedHtml } from "./pasted.ts";
import type { Draft } from "./use-draft.ts";

interface Props {
  draft: Draft;
  workspace: Workspace;
  limits: Account["limits"];
  firstButton: Ref<HTMLButtonElement>;
}

const EDGE = { borderStyle: "dashed", borderColor: "var(--mantine-color-placeholder)" } as const;

/** Takes files by drop, choice or paste. */
export function SourcePicker({ draft, workspace, limits, firstButton }: Props) {
  const isEmpty = draft.files.length === 0;
  const [isPasting, { toggle, close }] = useDisclosure();
  const pasteButton = useRef<HTMLButtonElement>(null);
  usePastes(draft);
  const use = (html: string) => {
    draft.paste(html);
    close();
    pasteButton.current?.focus();
  };
  return (
    <Paper withBorder radius="md" p={isEmpty ? "xl" : "sm"} style={EDGE}>
      <Stack gap="md" align={isEmpty ? "center" : "stretch"} py={isEmpty ? "lg" : 0}>
        {isEmpty && <Invitation workspace={workspace} limits={limits} />}
        <Group gap="xs" justify={isEmpty ? "center" : "flex-start"}>
          <FileChooser icon={<IconFile size={16} />} onChoose={draft.choose} ref={firstButton}>
            Choose files
          </FileChooser>
          <FileChooser icon={<IconFolder size={16} />} onChoose={draft.choose} isFolder>
            Choose folder
          </FileChooser>
          <Button
            ref={pasteButton}
            variant="default"
            leftSection={<IconClipboard size={16} aria-hidden />}
            aria-expanded={isPasting}
            onClick={toggle}
          >
            Paste HTML
          </Button>
        </Group>
        {isPasting && <PasteArea onUse={use} />}
      </Stack>
    </Paper>
  );
}

function Invitation({ workspace, limits }: Pick<Props, "workspace" | "limits">) {
  const { files_per_upload, file_bytes, request_bytes, free_plan_file_bytes } = limits;
  return (
    <Stack gap={4} align="center" ta="center">
      <IconUpload size={32} aria-hidden />
      <Text fw={500} size="lg" visibleFrom="sm">
        Drop files or a folder here
      </Text>
      <Text fw={500} size="lg" hiddenFrom="sm">
        Choose what to publish
      </Text>
      <Text c="dimmed" size="sm" maw={440}>
        Add one HTML file, or index.html and the files it needs. You can also paste HTML.
      </Text>
      <Text c="dimmed" size="sm" maw={440}>
        {workspace.plan === "free"
          ? `Free plan: a single index.html, up to ${describeBytes(free_plan_file_bytes)}.`
          : `Up to ${describeNumber(files_per_upload)} files of ${describeBytes(file_bytes)} each, ${describeBytes(request_bytes)} in total.`}
      </Text>
    </Stack>
  );
}

interface ChooserProps {
  icon: ReactNode;
  isFolder?: boolean;
  onChoose(files: Iterable<File>): void;
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
}

function FileChooser({ icon, isFolder = false, onChoose, ref, children }: ChooserProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={(element) => {
          input.current = element;
          if (element !== null) element.webkitdirectory = isFolder;
        }}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])]);
          // Lets the same file be chosen again.
          currentTarget.value = "";
        }}
      />
      <Button ref={ref ?? null} variant="default" leftSection={icon} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}

function PasteArea({ onUse }: { onUse: (html: string) => void }) {
  const [html, setHtml] = useState("");
  const [isWrong, setWrong] = useState(false);
  const use = () => {
    if (looksLikeHtml(html)) onUse(html);
    else setWrong(true);
  };
  return (
    <Stack gap="xs" w="100%" align="flex-start">
      <Textarea
        label="HTML source"
        description="Published as index.html."
        w="100%"
        rows={8}
        autoFocus
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        value={html}
        error={isWrong && `This isn't HTML. It must start with a tag, such as "<!doctype html>".`}
        onChange={({ currentTarget }) => {
          setHtml(currentTarget.value);
          setWrong(false);
        }}
      />
      <Button variant="light" onClick={use}>
        Use this HTML
      </Button>
    </Stack>
  );
}

/** Accepts files and HTML pasted anywhere but in a field. */
function usePastes(draft: Draft): void {
  useWindowEvent("paste", (event: ClipboardEvent) => {
    const data = event.clipboardData;
    if (data === null || isField(event.target)) return;
    if (data.files.length > 0) return draft.choose([...data.files]);
    const html = pastedHtml(data);
    if (html !== undefined) draft.paste(html);
    else if (data.getData("text/plain") !== "") notifyWarning("Can't publish this", "The pasted text isn't HTML.");
  });
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null;
