import "../app/components.css";
import "@mantine/notifications/styles.css";
import "../app/look.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { createRoot } from "react-dom/client";
import { cssVariables, theme } from "../app/theme.ts";
import { DesignPage } from "./design-page.tsx";

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
