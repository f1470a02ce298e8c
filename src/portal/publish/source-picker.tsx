import { Button, Group, Paper, Stack, Text, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconClipboard, IconFile, IconFolder, IconUpload } from "@tabler/icons-react";
import { type ReactNode, type Ref, useRef, useState } from "react";
import { describeBytes, describeNumber } from "../shared/amounts.ts";
import { AnchorLink } from "../shared/link.tsx";
import { useAccount, type Workspace } from "../shared/use-account.ts";
import { looksLikeHtml } from "./pasted.ts";
import type { Draft } from "./use-draft.ts";

interface Props {
  draft: Draft;
  workspace: Workspace;
  firstButton: Ref<HTMLButtonElement>;
}

const EDGE = { borderStyle: "dashed", borderColor: "var(--edge)" } as const;

/** Accepts dropped, chosen and pasted files. A large area at first, then one line. */
export function SourcePicker({ draft, workspace, firstButton }: Props) {
  const isEmpty = draft.files.length === 0;
  const [isPasting, { toggle, close }] = useDisclosure();
  const pasteButton = useRef<HTMLButtonElement>(null);
  const use = (html: string) => {
    draft.paste(html);
    close();
    pasteButton.current?.focus();
  };
  const buttons = (
    <Group gap="xs" justify={isEmpty ? "center" : "flex-start"}>
      <FileChooser
        icon={<IconFile size={16} />}
        onChoose={draft.choose}
        ref={firstButton}
        variant={isEmpty ? "filled" : "default"}
      >
        {isEmpty ? "Choose files" : "Add files"}
      </FileChooser>
      <FileChooser icon={<IconFolder size={16} />} onChoose={draft.choose} isFolder>
        {isEmpty ? "Choose folder" : "Add folder"}
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
  );
  if (!isEmpty) {
    return (
      <Stack gap="sm">
        {buttons}
        {isPasting && <PasteArea onUse={use} />}
      </Stack>
    );
  }
  return (
    <Paper withBorder p="xl" style={EDGE}>
      <Stack gap="lg" align="center" py="xl">
        <Invitation workspace={workspace} />
        {buttons}
        {isPasting && <PasteArea onUse={use} />}
        <Text size="sm" c="dimmed">
          Or publish{" "}
          <AnchorLink to="/connect" inherit underline="always">
            from the command line, an agent or CI
          </AnchorLink>
        </Text>
      </Stack>
    </Paper>
  );
}

function Invitation({ workspace }: { workspace: Workspace }) {
  const { files_per_upload, file_bytes, request_bytes, free_plan_file_bytes } = useAccount().limits;
  return (
    <Stack gap={4} align="center" ta="center">
      <IconUpload size={32} aria-hidden />
      <Text fw={500} size="lg" visibleFrom="sm" mt="xs">
        Drop files or a folder here
      </Text>
      <Text fw={500} size="lg" hiddenFrom="sm" mt="xs">
        Choose what to publish
      </Text>
      <Text c="dimmed" size="sm" maw={440}>
        An HTML file, a folder or a zip archive with the files it needs. You can also paste HTML.
      </Text>
      <Text c="dimmed" size="sm" maw={440}>
        {workspace.plan === "free"
          ? `Free plan: a single HTML file, up to ${describeBytes(free_plan_file_bytes)}.`
          : `Up to ${describeNumber(files_per_upload)} files of ${describeBytes(file_bytes)} each, ${describeBytes(request_bytes)} in total.`}
      </Text>
    </Stack>
  );
}

interface ChooserProps {
  icon: ReactNode;
  isFolder?: boolean;
  variant?: "filled" | "default";
  onChoose(files: Iterable<File>): void;
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
}

function FileChooser({ icon, isFolder = false, variant = "default", onChoose, ref, children }: ChooserProps) {
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
      <Button ref={ref ?? null} variant={variant} leftSection={icon} onClick={() => input.current?.click()}>
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
    <Stack gap="xs" w="100%" maw={720} align="flex-start">
      <Textarea
        label="HTML source"
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
