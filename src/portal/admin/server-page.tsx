import { Alert, Badge, Box, Code, Group, Text } from "@mantine/core";
import { IconCircleCheck, IconPlugConnectedX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import {
  type LastBackupEntry,
  type ServerFailureEntry,
  type ServerPartEntry,
  serverStateRoute,
} from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { describeBytes, describeCount } from "../shared/amounts.ts";
import { Fact, Facts } from "../shared/facts.tsx";
import { Loaded } from "../shared/loaded.tsx";
import { Section } from "../shared/page.tsx";
import { Rows } from "../shared/rows.tsx";
import { Time } from "../shared/time.tsx";
import { AdminPage } from "./admin-page.tsx";
import { ADMIN } from "./use-admin-call.ts";

/** Milliseconds between refreshes. */
const REFRESH = 15_000;

/** Shows the state of the server. */
export const ServerPage = () => (
  <AdminPage title="Server" description="The state of the replica that serves this page.">
    <State />
  </AdminPage>
);

function State() {
  const query = useQuery({
    queryKey: [...ADMIN, "server"],
    queryFn: ({ signal }) => api.call(serverStateRoute, { signal }),
    refetchInterval: REFRESH,
    staleTime: 0,
  });
  return (
    <Loaded query={query} lines={8}>
      {({ version, replica, started_at, is_ready, parts, last_backup, failures }) => (
        <>
          <Alert
            color={is_ready ? "glass" : "red"}
            icon={is_ready ? <IconCircleCheck /> : <IconPlugConnectedX />}
            title={is_ready ? "Ready" : "Not ready"}
            role="status"
          >
            {is_ready ? "The server accepts requests." : "Load balancers send requests to other replicas."}
          </Alert>
          <Section title="About">
            <Facts>
              <Fact name="Version">{version}</Fact>
              <Fact name="Replica">{replica}</Fact>
              <Fact name="Started">
                <Time at={started_at} />
              </Fact>
            </Facts>
          </Section>
          <Section title="Last backup" description="Of the whole installation, made on a schedule or by command.">
            {last_backup === null ? (
              <Text>
                No backup yet. Run <Code>vitrine backup</Code>, or set <Code>VITRINE_BACKUP_TARGET</Code>.
              </Text>
            ) : (
              <LastBackup backup={last_backup} />
            )}
          </Section>
          <Section
            title="Recent errors"
            description="The last 100 of this replica since it started. The server's log has all of them."
          >
            {failures.length === 0 ? (
              <Text c="dimmed">No errors since the server started.</Text>
            ) : (
              <Rows label="Recent errors">
                {failures.map((failure, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: errors have no identity
                  <FailureRow key={place} failure={failure} />
                ))}
              </Rows>
            )}
          </Section>
          <Section title="Parts" description="Storage, background tasks and everything else the server depends on.">
            <Rows label="Parts">
              {parts.map((part) => (
                <PartRow key={part.name} part={part} />
              ))}
            </Rows>
          </Section>
        </>
      )}
    </Loaded>
  );
}

const STATES = {
  ok: { color: "glass", label: "OK" },
  degraded: { color: "yellow", label: "Degraded" },
  failed: { color: "red", label: "Failed" },
} as const;

const PartRow = ({ part: { name, state, since, detail } }: { part: ServerPartEntry }) => (
  <Group component="li" justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
    <Box miw={0}>
      <Text fw={500}>{name.charAt(0).toUpperCase() + name.slice(1)}</Text>
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {detail !== null && `${detail} `}
        Since <Time at={since} />
      </Text>
    </Box>
    <Badge color={STATES[state].color} style={{ flex: "none" }}>
      {STATES[state].label}
    </Badge>
  </Group>
);

const BACKUP_STATES = { running: "In progress", succeeded: "Succeeded", failed: "Failed" } as const;

const LastBackup = ({ backup }: { backup: LastBackupEntry }) => (
  <>
    {backup.problem !== null && (
      <Alert color={backup.state === "failed" ? "red" : "yellow"} mb="md" style={{ overflowWrap: "anywhere" }}>
        {backup.problem}
      </Alert>
    )}
    <Facts>
      <Fact name="State">{BACKUP_STATES[backup.state]}</Fact>
      <Fact name={backup.finished_at === null ? "Started" : "Finished"}>
        <Time at={backup.finished_at ?? backup.started_at} />
      </Fact>
      <Fact name="Target">
        <Text span style={{ overflowWrap: "anywhere" }}>
          {backup.target}
        </Text>
      </Fact>
      {backup.bytes !== null && (
        <Fact name="Size">
          {describeBytes(backup.bytes)}
          {backup.objects !== null && `, ${describeCount(backup.objects, "object")}`}
          {backup.copied_bytes !== null && `, ${describeBytes(backup.copied_bytes)} of it new`}
        </Fact>
      )}
    </Facts>
  </>
);

const FailureRow = ({ failure: { at, message, detail, request_id } }: { failure: ServerFailureEntry }) => (
  <Box component="li">
    <Group justify="space-between" gap="sm">
      <Text fw={500}>{message}</Text>
      <Text size="sm" c="dimmed">
        <Time at={at} />
      </Text>
    </Group>
    {detail !== null && (
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {detail}
      </Text>
    )}
    {request_id !== null && (
      <Text size="sm" c="dimmed">
        Request <Code fz="xs">{request_id}</Code>
      </Text>
    )}
  </Box>
);
