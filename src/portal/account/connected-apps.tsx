import { Badge, Box, Button, Code, Group, Text, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type ConnectedApp, disconnectAppRoute } from "../../client/routes.ts";
import { appsQuery } from "../api/queries.ts";
import { ConfirmDialog } from "../shared/confirm.tsx";
import { Loaded } from "../shared/loaded.tsx";
import { notifySuccess } from "../shared/notify.ts";
import { Section } from "../shared/page.tsx";
import { Rows } from "../shared/rows.tsx";
import { Time } from "../shared/time.tsx";
import { useAccountCall } from "./use-account-call.ts";

/** Lists the programs that the user connected with OAuth, and disconnects them. */
export function ConnectedApps() {
  const heading = useRef<HTMLHeadingElement>(null);
  const [chosen, setChosen] = useState<ConnectedApp>();
  const [isAsking, { open, close }] = useDisclosure();
  const disconnecting = useAccountCall(disconnectAppRoute);
  const query = useQuery(appsQuery());
  async function disconnect(): Promise<void> {
    if (chosen === undefined) return;
    await disconnecting.mutateAsync({ id: chosen.id });
    notifySuccess(`${chosen.name} disconnected`);
  }
  return (
    <Section
      title="Connected apps"
      description={
        <>
          Apps that you connected without an access token. To connect an agent such as Claude, give it the address{" "}
          <Code>{location.origin}/mcp</Code>.
        </>
      }
      headingRef={heading}
    >
      <Loaded query={query} lines={2}>
        {({ apps }) =>
          apps.length === 0 ? (
            <Text c="dimmed">No connected apps yet.</Text>
          ) : (
            <Rows label="Connected apps">
              {apps.map((app) => (
                <AppRow
                  key={app.id}
                  app={app}
                  onDisconnect={() => {
                    setChosen(app);
                    open();
                  }}
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
      <ConfirmDialog
        isOpen={isAsking}
        title={`Disconnect ${chosen?.name ?? ""}?`}
        action="Disconnect"
        onConfirm={disconnect}
        onClose={close}
        focusAfter={heading}
      >
        It loses access immediately. You can connect it again.
      </ConfirmDialog>
    </Section>
  );
}

const AppRow = ({ app, onDisconnect }: { app: ConnectedApp; onDisconnect(): void }) => (
  <Group component="li" wrap="nowrap" gap="sm" justify="space-between">
    <Box miw={0}>
      <Group gap="xs">
        <Text fw={500} dir="auto">
          {app.name}
        </Text>
        {app.scopes.map((scope) => (
          <Badge key={scope} color="gray">
            {scope.replace("reports:", "")}
          </Badge>
        ))}
      </Group>
      <Text size="sm" c="dimmed">
        {app.workspace} · connected <Time at={app.created_at} /> · last used <Time at={app.last_used_at} />
      </Text>
    </Box>
    <Button variant="subtle" color="red" size="sm" style={{ flex: "none" }} onClick={onDisconnect}>
      Disconnect<VisuallyHidden> {app.name}</VisuallyHidden>
    </Button>
  </Group>
);
