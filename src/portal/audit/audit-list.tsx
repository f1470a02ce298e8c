import { Box, Code, Group, Text } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import type { AuditEntryView } from "../../client/routes.ts";
import { Rows } from "../shared/rows.tsx";
import { Time } from "../shared/time.tsx";
import { describeAction, describeActor, describeCredential, describeDetails, describeSubject } from "./words.ts";

interface Props {
  entries: readonly AuditEntryView[];
  /** Whether to name the workspace of each entry. */
  showsWorkspace?: boolean;
}

/** Lists entries of the audit log. */
export const AuditList = ({ entries, showsWorkspace = false }: Props) => (
  <Rows label="Audit log">
    {entries.map((entry, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity, and new ones replace the whole list
      <AuditRow key={place} entry={entry} showsWorkspace={showsWorkspace} />
    ))}
  </Rows>
);

function AuditRow({ entry, showsWorkspace }: { entry: AuditEntryView; showsWorkspace: boolean }) {
  const { at, title, code, workspace, address } = entry;
  const subject = describeSubject(entry);
  const facts = [
    showsWorkspace && workspace !== null && `in ${workspace}`,
    describeCredential(entry),
    address !== null && `from ${address}`,
  ].filter((fact) => typeof fact === "string");
  return (
    <Group component="li" justify="space-between" align="flex-start" gap="sm">
      <Box miw={0} flex="1 1 280px">
        <Text style={{ overflowWrap: "anywhere" }}>
          <Text span fw={500}>
            {describeActor(entry)}
          </Text>{" "}
          {describeAction(entry)}{" "}
          {subject !== undefined && (
            <Text span fw={500}>
              {subject}
            </Text>
          )}
        </Text>
        <Details entry={entry} />
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {[title !== null && title !== subject && `“${title}”`, ...facts].filter(Boolean).join(" · ")}
        </Text>
      </Box>
      <Box ta={{ base: "left", xs: "right" }}>
        <Text size="sm" c="dimmed">
          <Time at={at} />
        </Text>
        {code !== null && code !== subject && <Code fz="xs">{code}</Code>}
      </Box>
    </Group>
  );
}

function Details({ entry }: { entry: AuditEntryView }) {
  const details = describeDetails(entry);
  if (details.length === 0) return null;
  return (
    <Text size="sm" style={{ overflowWrap: "anywhere" }}>
      {details.map((detail, place) => {
        const [from = "", to] = detail.split(" → ");
        return (
          <span key={detail}>
            {place > 0 && " · "}
            {from}
            {to !== undefined && (
              <>
                {" "}
                <IconArrowRight size={12} aria-label="to" style={{ verticalAlign: "middle" }} /> {to}
              </>
            )}
          </span>
        );
      })}
    </Text>
  );
}
