import { Alert, type CSSVariablesResolver, createTheme, type MantineColorsTuple, Menu, Portal } from "@mantine/core";

/** Vitrine's green; its seventh shade is dark enough for white text. */
const glass: MantineColorsTuple = [
  "#e6f6f4",
  "#d3e9e6",
  "#a6d3cd",
  "#76bcb3",
  "#4fa89d",
  "#36998d",
  "#1f8479",
  "#0b6e66",
  "#075f58",
  "#00514a",
];

export const theme = createTheme({
  primaryColor: "glass",
  primaryShade: { light: 7, dark: 6 },
  colors: { glass },
  autoContrast: true,
  defaultRadius: "md",
  cursorType: "pointer",
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  headings: { fontWeight: "650" },
  focusRing: "auto",
  respectReducedMotion: true,
  // Overlays render into a named landmark.
  components: {
    // The default titles have too little contrast.
    Alert: Alert.extend({ styles: { title: { color: "var(--mantine-color-text)" } } }),
    Portal: Portal.extend({ defaultProps: { target: "#overlays" } }),
    // Otherwise the menu contains a focusable element that isn't an item.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    // By name, so that the first page doesn't load components it doesn't show.
    Modal: {
      defaultProps: { centered: true, closeButtonProps: { "aria-label": "Close" } },
      styles: { title: { fontWeight: 650 } },
    },
    Notification: {
      defaultProps: { closeButtonProps: { "aria-label": "Close" } },
      styles: { description: { color: "var(--mantine-color-dimmed)" } },
    },
    InputError: { defaultProps: { role: "alert" } },
  },
});

/** Text and background colors; Mantine's defaults have too little contrast. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#5c636b",
    "--mantine-color-placeholder": "#6b727a",
    "--mantine-color-error": "#c92a2a",
    "--mantine-color-red-filled": "#c92a2a",
    "--mantine-color-red-filled-hover": "#b02525",
    "--mantine-color-red-light-hover": "#fff0f0",
    "--mantine-color-yellow-light-color": "#7a4a00",
  },
  dark: {
    "--mantine-color-dimmed": "#a9b0b8",
    "--mantine-color-placeholder": "#8f969e",
    "--mantine-color-error": "#ff8787",
    "--mantine-color-red-filled": "#c92a2a",
    "--mantine-color-red-filled-hover": "#b02525",
    "--mantine-color-red-light-color": "#ffa8a8",
  },
});
