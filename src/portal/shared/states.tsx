import { Button, Center, Skeleton, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconAlertTriangle, IconMapPinOff, IconPlugConnectedX, IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ApiError } from "../api/client.ts";
import { ButtonLink } from "./link.tsx";
import { MissingPart } from "./missing-part.ts";

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
        <ThemeIcon size={44} radius="lg" variant="default" c="var(--ink-soft)" aria-hidden>
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

/** Returns the server's message, or says that the server can't be reached. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiError || error instanceof MissingPart
    ? error.message
    : "Couldn't reach the server. Check your connection and try again.";

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

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
export const reload = () => location.reload();

/** Shown in place of code that can't be loaded. */
function ReloadState({ isPage = false }: Pick<NoticeProps, "isPage">) {
  return (
    <div role="alert">
      <Notice
        icon={<IconRefresh />}
        title={RELOAD_TITLE}
        action={<Button onClick={reload}>Reload page</Button>}
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
