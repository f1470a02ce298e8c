import { useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";

/** Returns a function that opens the Share dialog through the address, so that reloading keeps it and "back" closes it. */
export function useShare(): () => void {
  const navigate = useNavigate({ from: "/r/$reference" });
  return useCallback(
    () =>
      void navigate({
        search: (before) => ({ ...before, share: true }),
        state: { isSharingOnTop: true },
        resetScroll: false,
      }),
    [navigate],
  );
}
