import { Badge, Box, Button, Group, Stack, Text, ThemeIcon, VisuallyHidden } from "@mantine/core";
import { IconDeviceDesktop, IconDeviceMobile } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useRef } from "react";
import { endOtherSessionsRoute, endSessionRoute, type SessionEntry } from "../../client/routes.ts";
import { sessionsQuery } from "../api/queries.ts";
import { describeCount } from "../shared/amounts.ts";
import { Loaded } from "../shared/loaded.tsx";
import { notifySuccess } from "../shared/notify.ts";
import { Section } from "../shared/page.tsx";
import { Rows } from "../shared/rows.tsx";
import { useSession } from "../shared/session.tsx";
import { Time } from "../shared/time.tsx";
import { describeDevice } from "./device.ts";
import { useAccountCall } from "./use-account-call.ts";

/** Lists the user's sessions and signs them out. */
export function SessionsSection() {
  const heading = useRef<HTMLHeadingElement>(null);
  // Sign-ins elsewhere send no event, so the list is refetched when the window regains focus.
  const query = useQuery({ ...sessionsQuery(), staleTime: 0 });
  return (
    <Section
      title="Sessions"
      description="Where you're signed in. Sign out any session you don't recognize."
      headingRef={heading}
    >
      <Loaded query={query} lines={3}>
        {({ sessions }) => (
          <Stack>
            <Rows label="Sessions">
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} heading={heading} />
              ))}
            </Rows>
            <SignOutButtons others={sessions.filter(({ is_current }) => !is_current).length} heading={heading} />
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

interface RowProps {
  session: SessionEntry;
  heading: RefObject<HTMLHeadingElement | null>;
}

function SessionRow({ session: { id, is_current, user_agent, address, created_at }, heading }: RowProps) {
  const { signOut } = useSession();
  const { words, isHandheld } = describeDevice(user_agent);
  const ending = useAccountCall(endSessionRoute, "Couldn't sign out the session");
  async function end(): Promise<void> {
    await ending.mutateAsync({ id });
    heading.current?.focus();
    notifySuccess(`Signed out ${words}`);
  }
  return (
    <Group component="li" wrap="nowrap" gap="sm" justify="space-between">
      <Group wrap="nowrap" gap="sm" miw={0}>
        <ThemeIcon variant="light" color="gray" size="lg" aria-hidden visibleFrom="xs">
          {isHandheld ? <IconDeviceMobile size={18} /> : <IconDeviceDesktop size={18} />}
        </ThemeIcon>
        <Box miw={0}>
          <Group gap="xs">
            <Text fw={500}>{words}</Text>
            {is_current && (
              <Badge>
                This browser
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {address !== null && `${address} · `}signed in <Time at={created_at} />
          </Text>
        </Box>
      </Group>
      {is_current ? (
        <Button variant="default" size="sm" onClick={() => void signOut()}>
          Sign out
        </Button>
      ) : (
        <Button variant="default" size="sm" onClick={() => void end().catch(() => undefined)}>
          End<VisuallyHidden> the session of {words}</VisuallyHidden>
        </Button>
      )}
    </Group>
  );
}

interface SignOutButtonsProps {
  others: number;
  heading: RefObject<HTMLHeadingElement | null>;
}

function SignOutButtons({ others, heading }: SignOutButtonsProps) {
  const { signOutEverywhere } = useSession();
  const ending = useAccountCall(endOtherSessionsRoute, "Couldn't sign out the other sessions");
  async function signOutOthers(): Promise<void> {
    const { ended } = await ending.mutateAsync({});
    heading.current?.focus();
    notifySuccess(`Signed out ${describeCount(ended, "other session")}`);
  }
  return (
    <Group gap="sm">
      {others > 0 && (
        <Button variant="default" onClick={() => void signOutOthers().catch(() => undefined)}>
          Sign out all others
        </Button>
      )}
      <Button variant="subtle" color="red" onClick={() => void signOutEverywhere()}>
        Sign out everywhere
      </Button>
    </Group>
  );
}
