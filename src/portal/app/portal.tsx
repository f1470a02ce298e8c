import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { useState } from "react";
import { accountQuery } from "../api/first-queries.ts";
import { DropBoxProvider } from "../publish/drop-box.tsx";
import { Clock } from "../shared/clock.tsx";
import { CommandsProvider } from "../shared/commands.tsx";
import { lazyPart } from "../shared/lazy-part.ts";
import { PartBoundary } from "../shared/part-boundary.tsx";
import { RemovalsProvider } from "../shared/removals.tsx";
import { createSession, SessionProvider } from "../shared/session.tsx";
import { SettledProvider, useIsSettled } from "../shared/settled.tsx";
import { createQueries } from "./query-client.ts";
import { createPortalRouter } from "./router.tsx";
import { cssVariables, theme } from "./theme.ts";

/** The page's policy only allows styles with this nonce. */
const readNonce = () => document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";

const Toaster = lazyPart(async () => (await import("../shared/toasts.tsx")).Toaster);

/** What the portal keeps while it is open. */
export type PortalState = Awaited<ReturnType<typeof loadPortal>>;

/**
 * Loads what the first page shows, or its failure. React would otherwise show nothing in its place at first, and wait 300 ms
 * before it replaces that.
 */
export async function loadPortal() {
  const session = createSession();
  const queries = createQueries(session.check);
  const router = createPortalRouter(queries);
  await Promise.allSettled([queries.prefetchQuery(accountQuery()), router.load()]);
  return { session, queries, router };
}

export function Portal({ session, queries, router }: PortalState) {
  const [nonce] = useState(() => {
    const read = readNonce();
    setNonce(read);
    return read;
  });
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <SettledProvider>
          <Later />
          <SessionProvider value={session}>
            <RemovalsProvider>
              <CommandsProvider>
                <DropBoxProvider>
                  <Clock>
                    <RouterProvider router={router} />
                  </Clock>
                </DropBoxProvider>
              </CommandsProvider>
            </RemovalsProvider>
          </SessionProvider>
        </SettledProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** What the first page doesn't show. */
function Later() {
  if (!useIsSettled()) return null;
  return (
    <PartBoundary isQuiet>
      <Toaster />
    </PartBoundary>
  );
}
