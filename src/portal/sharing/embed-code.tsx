import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { createLinks, FRAME_FEATURES, SANDBOX_TOKENS } from "../../client/definitions.ts";
import type { ItemDetailEntry } from "../../client/routes.ts";
import { embedHtml } from "../../look/embed.ts";
import { useCopying } from "../shared/copying.ts";
import { useAccount } from "../shared/use-account.ts";

/** The HTML that shows a public report within another page. */
export function EmbedCode({ item }: { item: ItemDetailEntry }) {
  const { content_url: contentUrl } = useAccount();
  const links = createLinks({ baseUrl: location.origin, contentUrl });
  const code = embedCode(item.title, links.embed({ name: item.name, ownerSlug: item.owner_slug, code: item.code }));
  const { isCopied, copy } = useCopying(code);
  if (item.visibility !== "public" || item.current_visibility !== "public") {
    return (
      <Text size="sm" c="dimmed">
        Only public reports can be embedded with this code. To embed a private one, create a guest link.
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <Textarea
        label="Embed code"
        description={
          item.name === undefined ? "Shows this report." : "Shows the version that is current when the page is opened."
        }
        readOnly
        rows={4}
        value={code}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Group>
        <Button
          variant="default"
          onClick={copy}
          leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        >
          {isCopied ? "Copied" : "Copy embed code"}
        </Button>
      </Group>
    </Stack>
  );
}

/** Returns a frame that gives the report what a published page may do, and no more. */
const embedCode = (title: string, url: string): string =>
  embedHtml({ url, title, width: "100%", height: 600, sandbox: SANDBOX_TOKENS, allow: FRAME_FEATURES });

/** Returns a frame for a guest link, whose page needs its own origin: it frames the report itself in a sandbox. */
export const guestEmbedCode = (title: string, url: string): string =>
  embedHtml({ url, title, width: "100%", height: 600, referrerPolicy: "no-referrer", allow: FRAME_FEATURES });
