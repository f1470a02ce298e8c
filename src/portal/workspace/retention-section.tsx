import { ActionIcon, Box, Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type RetentionRuleView, retentionRoute, setRetentionRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { keys } from "../api/first-queries.ts";
import { describeCount } from "../shared/amounts.ts";
import { Loaded } from "../shared/loaded.tsx";
import { notifySuccess } from "../shared/notify.ts";
import { Section } from "../shared/page.tsx";
import { canManage } from "../shared/roles.ts";
import { Rows } from "../shared/rows.tsx";
import type { Workspace } from "../shared/use-account.ts";
import { useCall } from "../shared/use-call.ts";
import { RetentionDialog } from "./retention-dialog.tsx";

const retentionQuery = (owner: string) =>
  queryOptions({
    queryKey: keys.retention(owner),
    queryFn: () => api.call(retentionRoute, { query: { owner } }),
  });

/** The rules by which the workspace deletes old versions. */
export function RetentionSection({ workspace: { slug: owner, role } }: { workspace: Workspace }) {
  const query = useQuery(retentionQuery(owner));
  const [isOpen, setOpen] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const mayChange = canManage(role);
  return (
    <Section
      title="Retention"
      headingRef={heading}
      description="Rules that move old versions to the trash. The current version and protected ones are always kept."
      action={
        mayChange && (
          <Button variant="default" onClick={() => setOpen(true)}>
            Set rule
          </Button>
        )
      }
    >
      <Loaded query={query} lines={1}>
        {({ rules }) =>
          rules.length === 0 ? (
            <Text c="dimmed">No rules. All versions are kept.</Text>
          ) : (
            <Rows label="Retention rules">
              {rules.map((rule) => (
                <RuleRow
                  key={rule.folder_id ?? rule.tag_id ?? ""}
                  {...{ owner, rule, mayChange }}
                  onRemoved={() => heading.current?.focus()}
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
      {isOpen && <RetentionDialog owner={owner} onClose={() => setOpen(false)} />}
    </Section>
  );
}

interface RuleRowProps {
  owner: string;
  rule: RetentionRuleView;
  mayChange: boolean;
  onRemoved(): void;
}

function RuleRow({ owner, rule, mayChange, onRemoved }: RuleRowProps) {
  const { mutate, isPending } = useCall(setRetentionRoute, {
    owner,
    about: ["settings"],
    failure: "Couldn't remove the rule",
    done: () => notifySuccess("Retention rule removed"),
  });
  const place = describePlace(rule);
  const remove = () => {
    if (isPending) return;
    mutate(
      { owner, ...(rule.folder_id === null ? {} : { folder_id: rule.folder_id }), ...tagOf(rule) },
      { onSuccess: onRemoved },
    );
  };
  return (
    <Group component="li" justify="space-between" gap="sm" wrap="nowrap">
      <Box miw={0}>
        <Text fw={500} style={{ overflowWrap: "anywhere" }}>
          {place}
        </Text>
        <Text size="sm" c="dimmed">
          {describeLimits(rule)}
        </Text>
      </Box>
      {mayChange && (
        <ActionIcon variant="subtle" color="gray" size="lg" onClick={remove} aria-disabled={isPending}>
          <IconTrash size={16} aria-hidden />
          <VisuallyHidden>Remove the rule for {place}</VisuallyHidden>
        </ActionIcon>
      )}
    </Group>
  );
}

const tagOf = ({ tag_id: tagId }: RetentionRuleView) => (tagId === null ? {} : { tag_id: tagId });

function describePlace({ folder_id, tag_id, title }: RetentionRuleView): string {
  if (folder_id !== null) return `Folder ${title}`;
  return tag_id === null ? "Whole workspace" : `Tag ${title}`;
}

function describeLimits({ keep, days }: RetentionRuleView): string {
  const newest = keep !== null && `the newest ${describeCount(keep, "version")}`;
  const young = days !== null && `versions younger than ${describeCount(days, "day")}`;
  return `Keeps ${[newest, young].filter(Boolean).join(" and ")} of each report`;
}
