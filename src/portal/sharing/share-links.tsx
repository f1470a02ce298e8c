import { Button, Group, Stack, TextInput, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconCode, IconCopy, IconExternalLink, IconQrcode } from "@tabler/icons-react";
import { type ReactNode, Suspense, useId, useState } from "react";
import type { ItemDetailEntry } from "../../client/routes.ts";
import { useCopying } from "../shared/copying.ts";
import { lazyPart } from "../shared/lazy-part.ts";
import { EmbedCode } from "./embed-code.tsx";

const QrCode = lazyPart(async () => (await import("./qr-code.tsx")).QrCode);

type Part = "qr" | "embed";

/** The links of a report, and other forms of the first one. */
export function ShareLinks({ item }: { item: ItemDetailEntry }) {
  const [part, setPart] = useState<Part>();
  const id = useId();
  const main = item.live_url ?? item.url;
  const toggle = (wanted: Part) => ({
    "aria-expanded": part === wanted,
    "aria-controls": `${id}${wanted}`,
    variant: part === wanted ? "light" : "default",
    onClick: () => setPart(part === wanted ? undefined : wanted),
  });
  return (
    <Stack gap="md">
      {item.live_url !== undefined && (
        <LinkField label="Live link" description="Always shows the current version." url={item.live_url} isMain />
      )}
      <LinkField
        label="Version link"
        description="Always shows the version that is current now."
        url={item.url}
        isMain={item.live_url === undefined}
      />
      <Group gap="xs">
        <Button
          component="a"
          variant="default"
          href={main}
          target="_blank"
          rel="noopener"
          leftSection={<IconExternalLink size={16} aria-hidden />}
        >
          Open
        </Button>
        <Button leftSection={<IconQrcode size={16} aria-hidden />} {...toggle("qr")}>
          QR code
        </Button>
        <Button leftSection={<IconCode size={16} aria-hidden />} {...toggle("embed")}>
          Embed
        </Button>
      </Group>
      <Panel id={`${id}qr`} isOpen={part === "qr"}>
        <Suspense fallback={<div style={{ height: 248 }} />}>
          <QrCode url={main} name={item.name ?? item.code} />
        </Suspense>
      </Panel>
      <Panel id={`${id}embed`} isOpen={part === "embed"}>
        <EmbedCode item={item} />
      </Panel>
    </Stack>
  );
}

const bringIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "nearest" });

const Panel = ({ id, isOpen, children }: { id: string; isOpen: boolean; children: ReactNode }) => (
  <div id={id} hidden={!isOpen}>
    {isOpen && <div ref={bringIntoView}>{children}</div>}
  </div>
);

interface LinkFieldProps {
  label: string;
  description: string;
  url: string;
  isMain: boolean;
}

function LinkField({ label, description, url, isMain }: LinkFieldProps) {
  const { isCopied, copy } = useCopying(url);
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        label={label}
        description={description}
        value={url}
        readOnly
        flex={1}
        miw={0}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button
        variant={isMain ? "filled" : "default"}
        onClick={copy}
        leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        aria-label={`Copy ${label.toLowerCase()}`}
        style={{ flex: "none" }}
      >
        {isCopied ? "Copied" : "Copy"}
      </Button>
      <VisuallyHidden role="status">{isCopied && "Copied"}</VisuallyHidden>
    </Group>
  );
}
