import { Component, type ReactNode, Suspense, useEffect, useId, useRef } from "react";
import { MissingPart } from "./missing-part.ts";
import classes from "./part-boundary.module.css";
import { RELOAD_REASON, RELOAD_TITLE, ReloadButton } from "./states.tsx";

interface PartBoundaryProps {
  /** Lazily loaded dialogs. */
  children: ReactNode;
  /** Closes the dialog that couldn't be loaded. */
  onDismiss?(): void;
  /** Whether the user isn't waiting for what couldn't be loaded. */
  isQuiet?: boolean;
}

/** Offers to reload the page if a dialog can't be loaded, without replacing the page. */
export class PartBoundary extends Component<PartBoundaryProps, { error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    const { children, onDismiss, isQuiet = false } = this.props;
    const { error } = this.state;
    if (error === undefined) return <Suspense fallback={null}>{children}</Suspense>;
    if (!isMissingPart(error)) throw error;
    if (isQuiet) return null;
    const close = () => {
      this.setState({ error: undefined });
      onDismiss?.();
    };
    return <ReloadDialog onClose={close} />;
  }
}

const isMissingPart = (error: unknown): boolean => error instanceof MissingPart;

/** The browser's own dialog, because the library's might not load either. */
function ReloadDialog({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={titleId} className={classes.dialog} onClose={onClose}>
      <h2 id={titleId} className={classes.title}>
        {RELOAD_TITLE}
      </h2>
      <p className={classes.text}>{RELOAD_REASON}</p>
      <div className={classes.buttons}>
        <button type="button" className={classes.button} onClick={() => dialog.current?.close()}>
          Not now
        </button>
        <ReloadButton />
      </div>
    </dialog>
  );
}
