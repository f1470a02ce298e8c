import { createContext, type ReactNode, use, useCallback, useRef, useState } from "react";
import { ApiError } from "../api/client.ts";
import { lazyPart } from "./lazy-part.ts";
import { loadPart } from "./missing-part.ts";
import { PartBoundary } from "./part-boundary.tsx";
import { useSession } from "./session.tsx";

const UNAUTHENTICATED = 401;

const ConfirmationDialog = lazyPart(async () => (await import("./parts.ts")).ConfirmationDialog);

/** Resolves to true once the user has confirmed their identity or needn't. */
export type Confirm = () => Promise<boolean>;

const ConfirmationContext = createContext<Confirm | undefined>(undefined);

/** Returns a function that asks the user to confirm their identity where required. */
export function useConfirmation(): Confirm {
  const confirm = use(ConfirmationContext);
  if (confirm === undefined) throw new Error("useConfirmation requires a ConfirmationProvider.");
  return confirm;
}

/** Asks for the password or a single sign-on if the user signed in too long ago. */
export function ConfirmationProvider({ children }: { children: ReactNode }) {
  const session = useSession();
  const [isAsking, setAsking] = useState(false);
  const opener = useRef<Element | null>(null);
  const answer = useRef<(isConfirmed: boolean) => void>(undefined);

  const confirm = useCallback(async () => {
    try {
      const { needsConfirmation } = await loadPart(import("./calls.ts"));
      if (!(await needsConfirmation())) return true;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === UNAUTHENTICATED) || (await session.check())) throw error;
      return false;
    }
    opener.current = document.activeElement;
    setAsking(true);
    return new Promise<boolean>((resolve) => {
      answer.current?.(false);
      answer.current = resolve;
    });
  }, [session]);

  function close(isConfirmed: boolean): void {
    // Before this dialog closes and the awaiting code opens another.
    if (opener.current instanceof HTMLElement) opener.current.focus();
    setAsking(false);
    answer.current?.(isConfirmed);
    answer.current = undefined;
  }

  return (
    <ConfirmationContext value={confirm}>
      {children}
      {isAsking && (
        <PartBoundary onDismiss={() => close(false)}>
          <ConfirmationDialog onClose={close} />
        </PartBoundary>
      )}
    </ConfirmationContext>
  );
}
