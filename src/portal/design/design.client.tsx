import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { createRoot } from "react-dom/client";
import { cssVariables, theme } from "../app/theme.ts";
import { DesignPage } from "./design-page.tsx";

// The page loads the portal's styles too, so they are not imported a second time.
const place = document.getElementById("portal");
const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
if (place !== null) {
  createRoot(place).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-right" />
      <DesignPage />
    </MantineProvider>,
  );
}
