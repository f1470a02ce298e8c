import { Button, Center, Skeleton, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconAlertTriangle, IconMapPinOff, IconPlugConnectedX, IconRefresh } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { ApiError } from "../api/client.ts";
import { isMissing, messageOf } from "./errors.ts";
import { ButtonLink } from "./link.tsx";
import { MissingPart } from "./missing-part.ts";

export { isMissing, messageOf } from "./errors.ts";

interface NoticeProps {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Whether it is the page's only content. */
  isPage?: boolean;
}

/** A message in place of content. */
export function Notice({ icon, title, children, action, isPage = false }: NoticeProps) {
  return (
    <Center mih="50vh" p="md">
      <Stack align="center" gap="sm" maw={480}>
        <ThemeIcon size={48} radius="xl" variant="light" aria-hidden>
          {icon}
        </ThemeIcon>
        <Title order={isPage ? 1 : 2} size="h3" ta="center">
          {title}
        </Title>
        {children !== undefined && (
          <Text c="dimmed" ta="center" component="div">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  );
}

interface ErrorStateProps extends Pick<NoticeProps, "isPage"> {
  error: unknown;
  onRetry?: () => void;
}

/** Shows an error with a retry button. */
export function ErrorState({ error, onRetry, isPage = false }: ErrorStateProps) {
  if (isMissing(error)) return <MissingState />;
  if (error instanceof MissingPart) return <ReloadState isPage={isPage} />;
  const isKnown = error instanceof ApiError;
  return (
    <div role="alert">
      <Notice
        icon={isKnown ? <IconAlertTriangle /> : <IconPlugConnectedX />}
        title={isKnown ? "Something went wrong" : "No connection"}
        action={onRetry && <Button onClick={onRetry}>Try again</Button>}
        isPage={isPage}
      >
        {messageOf(error)}
        {isKnown && error.requestId !== undefined && error.status >= 500 && (
          <Text size="xs">Request ID: {error.requestId}</Text>
        )}
      </Notice>
    </div>
  );
}

export const RELOAD_TITLE = "Reload to continue";
export const RELOAD_REASON =
  "Part of this page couldn't be loaded. Vitrine may have been updated since you opened it, or the connection was interrupted.";

/** Reloads the page once the server can be reached; until then, the browser would replace it by an error page. */
export function ReloadButton() {
  const [state, setState] = useState<"ready" | "trying" | "away">("ready");
  const reload = async () => {
    setState("trying");
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
    if (answer === undefined) setState("away");
    else location.reload();
  };
  return (
    <>
      {state === "away" && (
        <Text component="span" size="sm" role="alert">
          The server can't be reached yet.
        </Text>
      )}
      <Button onClick={reload} data-autofocus aria-disabled={state === "trying"}>
        Reload page
      </Button>
    </>
  );
}

/** Shown in place of code that can't be loaded. */
function ReloadState({ isPage = false }: Pick<NoticeProps, "isPage">) {
  return (
    <div role="alert">
      <Notice
        icon={<IconRefresh />}
        title={RELOAD_TITLE}
        action={<ReloadButton />}
        isPage={isPage}
      >
        {RELOAD_REASON}
      </Notice>
    </div>
  );
}

/** Shown for anything missing or not shared with the user; the two look the same. */
export function MissingState() {
  return (
    <Notice
      icon={<IconMapPinOff />}
      title="Page not found"
      action={<ButtonLink to="/">Show your reports</ButtonLink>}
      isPage
    >
      It doesn't exist, was deleted, or isn't shared with you.
    </Notice>
  );
}

/** Placeholder for lines of content. */
export function SkeletonLines({ lines, height = 20 }: { lines: number; height?: number }) {
  return (
    <Stack gap="sm" aria-busy aria-label="Loading" role="status">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical
        <Skeleton key={line} height={height} width={`${95 - ((line * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}
