import { Alert, type CSSVariablesResolver, createTheme, type MantineColorsTuple, Menu, Portal } from "@mantine/core";

/** The green of the service; dark enough in its seventh shade for white text on it. */
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
  // What floats above the page stands in a part of it that has a name.
  components: {
    // Titles in the colour of their kind are too pale to be read.
    Alert: Alert.extend({ styles: { title: { color: "var(--mantine-color-text)" } } }),
    Portal: Portal.extend({ defaultProps: { target: "#overlays" } }),
    // Else there is something to focus in a menu that is none of its items.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    // By name, so that the first page need not load what it does not show.
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

/** Colours of text and behind text: what comes with the library is too pale on its grounds to be read. */
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
