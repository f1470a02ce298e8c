import { Alert, List, Progress, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { describeBytes, describeNumber } from "../shared/amounts.ts";
import { FreeSpace } from "../shared/free-space.tsx";
import { Section } from "../shared/page.tsx";
import { type Account, useAccount, type Workspace } from "../shared/use-account.ts";

/** Share of the quota from which it is highlighted. */
const NEARLY_FULL = 0.9;

const planNames = { free: "Free", pro: "Pro" } as const;

const allowed: Readonly<Record<Workspace["plan"], (limits: Account["limits"]) => readonly string[]>> = {
  free: ({ free_plan_file_bytes }) => [
    `One index.html per report, up to ${describeBytes(free_plan_file_bytes)}`,
    "No other files",
    "One version per report",
  ],
  pro: ({ file_bytes, files_per_upload, request_bytes }) => [
    `Up to ${describeNumber(files_per_upload)} files per version, each up to ${describeBytes(file_bytes)}`,
    `Up to ${describeBytes(request_bytes)} per upload`,
    "Unlimited versions per report",
  ],
};

/** Shows the workspace's usage and plan. */
export function PlanSection({ workspace }: { workspace: Workspace }) {
  const { limits } = useAccount();
  const { plan } = workspace;
  return (
    <Section title={`${planNames[plan]} plan`} description="The plan is set by the server's operator.">
      <Stack>
        <QuotaMeter workspace={workspace} />
        {shareOf(workspace) >= NEARLY_FULL && <FreeSpace owner={workspace.slug} />}
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
  const share = shareOf({ stored_bytes: stored, quota_bytes: quota });
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
            ? "The workspace is full. Delete reports or versions before you publish again."
            : `The workspace is nearly full. ${describeBytes(quota - stored)} left.`}
        </Alert>
      )}
    </Stack>
  );
}

const shareOf = ({ stored_bytes, quota_bytes }: Pick<Workspace, "stored_bytes" | "quota_bytes">): number =>
  quota_bytes === 0 ? 1 : stored_bytes / quota_bytes;

const colorOf = (share: number) => (share >= 1 ? "red" : share >= NEARLY_FULL ? "yellow" : "glass");
