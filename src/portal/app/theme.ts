import { createTheme, type MantineColorsTuple } from "@mantine/core";

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
});
