import { useMatch, useNavigate } from "@tanstack/react-router";
import { Suspense } from "react";
import { lazyPart } from "../shared/lazy-part.ts";

const ShareDialog = lazyPart(async () => (await import("./share-dialog.tsx")).ShareDialog);

/** Opens the Share dialog when the address of a report asks for it, as in `/-/r/weekly-sales?share`. */
export function ShareOnAddress() {
  const match = useMatch({ from: "/r/$reference", shouldThrow: false });
  const navigate = useNavigate();
  if (match?.search.share !== true) return null;
  const { reference } = match.params;
  const close = () =>
    void navigate({
      to: "/r/$reference",
      params: { reference },
      search: (before) => ({ ...before, share: undefined }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Suspense fallback={null}>
      <ShareDialog reference={reference} onClose={close} />
    </Suspense>
  );
}
