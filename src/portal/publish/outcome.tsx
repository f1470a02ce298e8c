import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { referenceText } from "../api/references.ts";
import { describeCount } from "../shared/amounts.ts";
import { Copy } from "../shared/copy.tsx";
import { ButtonLink } from "../shared/link.tsx";
import touch from "../shared/touch.module.css";
import { remedyFor } from "./remedies.ts";
import type { Published } from "./upload.ts";

/** Links don't support `autoFocus`. */
const focusOnce = (link: HTMLAnchorElement | null) => link?.focus();

interface Props {
  published: Published;
  /** Returns to the files to publish the next version; undefined if the plan allows no more. */
  onAgain: (() => void) | undefined;
}

/** Shows a published report that has warnings. */
export function Outcome({ published, onAgain }: Props) {
  const { warnings, url, nameUrl } = published;
  return (
    <Stack gap="md" maw={760} mx="auto" className={touch.targets}>
      <Title order={1} size="h2">
        Published, with {describeCount(warnings.length, "warning")}
      </Title>
      <Text>The report is published, but some of it may not work:</Text>
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: "none" }}>
        {warnings.map((warning) => (
          <Warning key={warning} warning={warning} />
        ))}
      </Stack>
      <Paper withBorder p="sm">
        {nameUrl !== undefined && <LinkLine label="Live link" url={nameUrl} />}
        <LinkLine label="Version link" url={url} />
      </Paper>
      <Group>
        <ButtonLink to="/r/$reference" params={{ reference: referenceText(published) }} ref={focusOnce}>
          Open report
        </ButtonLink>
        {onAgain && (
          <Button variant="default" onClick={onAgain}>
            Publish next version
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function Warning({ warning }: { warning: string }) {
  const remedy = remedyFor(warning);
  return (
    <Paper component="li" withBorder p="sm">
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <IconAlertTriangle size={20} aria-hidden color="var(--mantine-color-orange-filled)" style={{ flex: "none" }} />
        <div>
          <Text size="sm">{warning}</Text>
          {remedy !== undefined && (
            <Text size="sm" c="dimmed" mt={4}>
              {remedy}
            </Text>
          )}
        </div>
      </Group>
    </Paper>
  );
}

function LinkLine({ label, url }: { label: string; url: string }) {
  return (
    <Group gap="xs" wrap="nowrap" justify="space-between">
      <Text size="sm" miw={0}>
        <Text span inherit c="dimmed">
          {label}
        </Text>{" "}
        {url}
      </Text>
      <Copy text={url} what={label.toLowerCase()} />
    </Group>
  );
}
