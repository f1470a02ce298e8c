import { useMatch, useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { lazyPart } from "../shared/lazy-part.ts";
import { PartBoundary } from "../shared/part-boundary.tsx";

const ShareDialog = lazyPart(async () => (await import("./share-dialog.tsx")).ShareDialog);

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Whether the entry before is the same page without the Share dialog. */
    isSharingOnTop?: true;
  }
}

/** Opens the Share dialog when the address of a report asks for it, as in `/-/r/weekly-sales?share`. */
export function ShareOnAddress() {
  const match = useMatch({ from: "/r/$reference", shouldThrow: false });
  return match?.search.share === true ? <Sharing reference={match.params.reference} /> : null;
}

function Sharing({ reference }: { reference: string }) {
  const router = useRouter();
  const navigate = useNavigate();
  useFocusBack();
  const close = () => {
    if (router.state.location.state.isSharingOnTop) {
      router.history.back();
      return;
    }
    void navigate({
      to: "/r/$reference",
      params: { reference },
      search: (before) => ({ ...before, share: undefined }),
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <PartBoundary onDismiss={close}>
      <ShareDialog reference={reference} onClose={close} />
    </PartBoundary>
  );
}

/** Returns the focus to what had it before, however the dialog is closed. */
function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Runs after the dialog releases the focus.
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
      });
    },
    [before],
  );
}
