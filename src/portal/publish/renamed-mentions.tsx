import { Alert, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import type { Renamed } from "./rewriting.ts";

const MAX_LINES = 5;

/** Lists what has to change by hand, because scripts refer to files that were renamed. */
export function RenamedMentions({ mentions }: Pick<Renamed, "mentions">) {
  if (mentions.length === 0) return null;
  const more = mentions.length - MAX_LINES;
  return (
    <Alert color="yellow" role="note" icon={<IconInfoCircle aria-hidden />} title="Scripts use the old names">
      <Text size="sm">Parts of the report may not work until you change them:</Text>
      <ul>
        {mentions.slice(0, MAX_LINES).map((mention) => (
          <Text key={`${mention.in} ${mention.old}`} component="li" size="sm">
            {mention.in}: {mention.old} is now {mention.name}
          </Text>
        ))}
        {more > 0 && (
          <Text component="li" size="sm">
            … and {more} more
          </Text>
        )}
      </ul>
    </Alert>
  );
}
