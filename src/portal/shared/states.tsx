import { IconAlertTriangle, IconMapPinOff, IconPlugConnectedX, IconRefresh } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { ApiError } from "../api/client.ts";
import { isMissing, messageOf } from "./errors.ts";
import { FastLink } from "./fast-link.tsx";
import { MissingPart } from "./missing-part.ts";
import classes from "./states.module.css";

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
  const Title = isPage ? "h1" : "h2";
  return (
    <div className={classes.notice}>
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <Title className={classes.title}>{title}</Title>
      {children !== undefined && <div className={classes.text}>{children}</div>}
      {action}
    </div>
  );
}

interface ActionProps {
  onClick(): void;
  children: ReactNode;
  isBusy?: boolean;
}

/** The way on from a message. */
const Action = ({ onClick, children, isBusy = false }: ActionProps) => (
  <button type="button" className={classes.action} onClick={onClick} aria-disabled={isBusy} data-autofocus>
    {children}
  </button>
);

interface ErrorStateProps extends Pick<NoticeProps, "isPage"> {
  error: unknown;
  onRetry?: () => void;
  isRetrying?: boolean;
}

/** Shows an error with a retry button. */
export function ErrorState({ error, onRetry, isRetrying = false, isPage = false }: ErrorStateProps) {
  if (isMissing(error)) return <MissingState />;
  if (error instanceof MissingPart) return <ReloadState isPage={isPage} />;
  const isKnown = error instanceof ApiError;
  return (
    <div role="alert">
      <Notice
        icon={isKnown ? <IconAlertTriangle /> : <IconPlugConnectedX />}
        title={isKnown ? "Something went wrong" : "No connection"}
        action={
          onRetry && (
            <Action onClick={onRetry} isBusy={isRetrying}>
              {isRetrying ? "Trying again…" : "Try again"}
            </Action>
          )
        }
        isPage={isPage}
      >
        {messageOf(error)}
        {isKnown && error.requestId !== undefined && error.status >= 500 && (
          <p className={classes.request}>Request ID: {error.requestId}</p>
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
        <span role="alert" className={classes.text}>
          The server can't be reached yet.
        </span>
      )}
      <Action onClick={() => void reload()} isBusy={state === "trying"}>
        Reload page
      </Action>
    </>
  );
}

/** Shown in place of code that can't be loaded. */
function ReloadState({ isPage = false }: Pick<NoticeProps, "isPage">) {
  return (
    <div role="alert">
      <Notice icon={<IconRefresh />} title={RELOAD_TITLE} action={<ReloadButton />} isPage={isPage}>
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
      action={
        <FastLink target={{ to: "/" }} className={classes.action}>
          Show your reports
        </FastLink>
      }
      isPage
    >
      It doesn't exist, was deleted, or isn't shared with you.
    </Notice>
  );
}

/** Placeholder for lines of content. */
export function SkeletonLines({ lines, height = 20 }: { lines: number; height?: number }) {
  return (
    <div className={classes.bones} aria-busy aria-label="Loading" role="status">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical
        <span key={line} style={{ height, width: `${95 - ((line * 17) % 40)}%` }} />
      ))}
    </div>
  );
}
