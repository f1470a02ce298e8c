import { Alert, Button, Group, Stack, Textarea, TextInput, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconCopy, IconEyeOff, IconQrcode } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { useCopying } from "../shared/copying.ts";
import { lazyPart } from "../shared/lazy-part.ts";
import { guestEmbedCode } from "./embed-code.tsx";
import styles from "./sharing.module.css";

const QrCode = lazyPart(async () => (await import("./qr-code.tsx")).QrCode);

/** A guest link as long as its secret is known. */
export interface NewGuestLink {
  url: string;
  isEmbeddable: boolean;
}

interface Props {
  link: NewGuestLink;
  title: string;
  onDone(): void;
}

/** Shows a new guest link, which can't be shown again. */
export function GuestLinkCreated({ link: { url, isEmbeddable }, title, onDone }: Props) {
  const [hasQr, setQr] = useState(false);
  const { isCopied, copy } = useCopying(url);
  return (
    <Stack gap="sm" className={styles.form}>
      <Alert icon={<IconEyeOff />} color="yellow">
        Copy the link now. It won't be shown again.
      </Alert>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label="Guest link"
          value={url}
          readOnly
          autoFocus
          flex={1}
          miw={0}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button
          onClick={copy}
          leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          aria-label="Copy guest link"
          style={{ flex: "none" }}
        >
          {isCopied ? "Copied" : "Copy"}
        </Button>
        <VisuallyHidden role="status">{isCopied && "Copied"}</VisuallyHidden>
      </Group>
      {isEmbeddable && (
        <Textarea
          label="Embed code"
          description="Paste it where the site takes HTML. Notion and others take the link alone."
          readOnly
          rows={3}
          value={guestEmbedCode(title, url)}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      )}
      {hasQr && (
        <Suspense fallback={<div style={{ height: 248 }} />}>
          <QrCode url={url} name="guest-link" />
        </Suspense>
      )}
      <Group justify="space-between">
        <Button
          variant="default"
          leftSection={<IconQrcode size={16} aria-hidden />}
          aria-expanded={hasQr}
          onClick={() => setQr(!hasQr)}
        >
          QR code
        </Button>
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
