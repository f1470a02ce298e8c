import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { useState } from "react";
import { DropBoxProvider } from "../publish/drop-box.tsx";
import { CommandsProvider } from "../shared/commands.tsx";
import { RemovalsProvider } from "../shared/removals.tsx";
import { createSession, SessionProvider } from "../shared/session.tsx";
import { createQueries } from "./query-client.ts";
import { createPortalRouter } from "./router.tsx";
import { cssVariables, theme } from "./theme.ts";

/** The page's policy only allows styles with this nonce. */
const readNonce = () => document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";

export function Portal() {
  const [session] = useState(createSession);
  const [queries] = useState(() => createQueries(session.expire));
  const [router] = useState(() => createPortalRouter(queries));
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
        <Notifications position="bottom-right" />
        <SessionProvider value={session}>
          <RemovalsProvider>
            <CommandsProvider>
              <DropBoxProvider>
                <RouterProvider router={router} />
              </DropBoxProvider>
            </CommandsProvider>
          </RemovalsProvider>
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
