import { Box, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reportQuery } from "../../api/queries.ts";
import { Copy } from "../../shared/copy.tsx";
import { useAccount } from "../../shared/use-account.ts";
import classes from "../report.module.css";
import { useShownCode } from "../shown-version.tsx";
import type { Item, Report } from "../types.ts";

/** Lists the report's addresses. */
export function LinksPanel({ item }: { item: Item }) {
  const { data: report } = useQuery(reportQuery(useShownCode(item)));
  const { content_url: contentUrl } = useAccount();
  if (report === undefined) return <Skeleton height={160} />;
  return (
    <Stack gap="sm">
      {item.live_url !== undefined && (
        <LinkLine label="Live link" what="live link" text={item.live_url} isAddress>
          Always shows the current version.
        </LinkLine>
      )}
      <LinkLine label={versionLabel(item, report)} what="version link" text={report.url} isAddress>
        Always shows this version.
      </LinkLine>
      <LinkLine label="Command line" what="command" text={readBackCommand(report, contentUrl)}>
        {report.visibility === "public"
          ? "Prints the report's HTML. No access token required."
          : "Prints the report's HTML. Requires an access token with the Read scope."}
      </LinkLine>
    </Stack>
  );
}

const versionLabel = ({ kind }: Item, { version_no: number }: Report) =>
  kind === "group" ? `Version link (version ${number})` : "Version link";

/** Returns a command that prints a version. */
function readBackCommand({ code, visibility }: Report, contentUrl: string): string {
  const address = `${contentUrl}/${code}/`;
  return visibility === "public" ? `curl ${address}` : `curl -H "Authorization: Bearer $VITRINE_TOKEN" ${address}`;
}

interface LinkLineProps {
  label: string;
  what: string;
  text: string;
  isAddress?: boolean;
  children: string;
}

function LinkLine({ label, what, text, isAddress = false, children }: LinkLineProps) {
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Group gap={4} wrap="nowrap">
        <Box flex={1} miw={0}>
          {isAddress ? (
            <a className={classes.link} href={text} target="_blank" rel="noopener">
              {text}
            </a>
          ) : (
            <code className={classes.link}>{text}</code>
          )}
        </Box>
        <Copy text={text} what={what} />
      </Group>
      <Text size="xs" c="dimmed" mt={2}>
        {children}
      </Text>
    </div>
  );
}
