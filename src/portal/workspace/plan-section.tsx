import { Alert, List, Progress, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { describeBytes, describeNumber } from "../shared/amounts.ts";
import { Section } from "../shared/page.tsx";
import { type Account, useAccount, type Workspace } from "../shared/use-account.ts";

/** Share of the quota from which it is highlighted. */
const NEARLY_FULL = 0.9;

const planNames = { free: "Free", pro: "Pro" } as const;

const allowed: Readonly<Record<Workspace["plan"], (limits: Account["limits"]) => readonly string[]>> = {
  free: ({ free_plan_file_bytes }) => [
    `A single index.html of up to ${describeBytes(free_plan_file_bytes)} for each report`,
    "No files beside it",
    "One version for each name",
  ],
  pro: ({ file_bytes, files_per_upload, request_bytes }) => [
    `Up to ${describeNumber(files_per_upload)} files for each report, each up to ${describeBytes(file_bytes)}`,
    `Up to ${describeBytes(request_bytes)} in one upload`,
    "As many versions of a name as you like",
  ],
};

/** Shows the workspace's usage and plan. */
export function PlanSection({ workspace }: { workspace: Workspace }) {
  const { limits } = useAccount();
  const { plan } = workspace;
  return (
    <Section title={`${planNames[plan]} plan`} description="Whoever runs this server sets the plan.">
      <Stack>
        <QuotaMeter workspace={workspace} />
        <List size="sm">
          {allowed[plan](limits).map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
      </Stack>
    </Section>
  );
}

function QuotaMeter({ workspace: { stored_bytes: stored, quota_bytes: quota } }: { workspace: Workspace }) {
  const share = quota === 0 ? 1 : stored / quota;
  const percent = Math.min(Math.round(share * 100), 100);
  const words = `${describeBytes(stored)} of ${describeBytes(quota)} used`;
  return (
    <Stack gap="xs">
      <Text>
        {words} ({describeNumber(percent)} %)
      </Text>
      <Progress.Root size="lg">
        <Progress.Section value={percent} color={colorOf(share)} aria-label="Storage" aria-valuetext={words} />
      </Progress.Root>
      {share >= NEARLY_FULL && (
        <Alert color={colorOf(share)} icon={<IconAlertTriangle />}>
          {stored >= quota
            ? "The workspace is full: nothing more can be published until something is deleted."
            : `The workspace is nearly full: ${describeBytes(quota - stored)} are left.`}
        </Alert>
      )}
    </Stack>
  );
}

const colorOf = (share: number) => (share >= 1 ? "red" : share >= NEARLY_FULL ? "yellow" : "glass");
