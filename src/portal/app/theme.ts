import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type PopoverProps,
  type VariantColorsResolver,
} from "@mantine/core";
import { DARK_NEUTRALS, GLASS, LIGHT_NEUTRALS, type Shades } from "../../look/tokens.ts";

const shades = (colors: Shades): MantineColorsTuple => [...colors];

const token = (name: string) => `var(--${name})`;

/** Text on the accent is dark in the dark scheme; Mantine only knows one color for both. */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const isAccent = input.color === undefined || input.color === "glass";
  return input.variant === "filled" && isAccent ? { ...colors, color: token("on-accent") } : colors;
};

/** Menus, dialogs and tooltips appear from just below their place. */
const appearing = {
  in: { opacity: 1, transform: "none" },
  out: { opacity: 0, transform: "translateY(4px) scale(0.985)" },
  transitionProperty: "opacity, transform",
};

const transitionProps = { transition: appearing, duration: 140, exitDuration: 120, timingFunction: token("ease") };

/** Menus and popovers end at the window's edge, and scroll. */
const middlewares: PopoverProps["middlewares"] = {
  size: {
    padding: 8,
    apply: ({ availableHeight, elements }) => {
      elements.floating.style.maxHeight = `${availableHeight}px`;
    },
  },
};

/** The portal's look: Mantine's components in the colors and scales of `look/tokens.ts`. */
export const theme = createTheme({
  primaryColor: "glass",
  primaryShade: { light: 7, dark: 5 },
  colors: { glass: shades(GLASS), gray: shades(LIGHT_NEUTRALS), dark: shades(DARK_NEUTRALS) },
  black: LIGHT_NEUTRALS[9],
  variantColorResolver: variantColors,
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  fontFamily: token("font"),
  fontFamilyMonospace: token("mono"),
  fontWeights: { regular: "400", medium: "500", bold: "500" },
  fontSizes: {
    xs: token("text-xs"),
    sm: token("text-sm"),
    md: token("text-md"),
    lg: token("text-lg"),
    xl: token("text-xl"),
  },
  lineHeights: { xs: "1.4", sm: "1.45", md: "1.5", lg: "1.5", xl: "1.5" },
  headings: {
    fontFamily: token("font"),
    fontWeight: "500",
    textWrap: "balance",
    sizes: {
      h1: { fontSize: token("title-1"), lineHeight: "1.25" },
      h2: { fontSize: token("title-2"), lineHeight: "1.3" },
      h3: { fontSize: token("title-3"), lineHeight: "1.4" },
      h4: { fontSize: token("title-4"), lineHeight: "1.45" },
      h5: { fontSize: token("text-md"), lineHeight: "1.5" },
      h6: { fontSize: token("text-sm"), lineHeight: "1.5" },
    },
  },
  spacing: {
    xs: token("space-2"),
    sm: token("space-3"),
    md: token("space-4"),
    lg: token("space-5"),
    xl: token("space-6"),
  },
  defaultRadius: "md",
  radius: {
    xs: token("radius-xs"),
    sm: token("radius-sm"),
    md: token("radius-md"),
    lg: token("radius-lg"),
    xl: token("radius-xl"),
  },
  shadows: {
    xs: token("shadow-sm"),
    sm: token("shadow-sm"),
    md: token("shadow-md"),
    lg: token("shadow-md"),
    xl: token("shadow-lg"),
  },
  // By name, so that the first page doesn't load components it doesn't show.
  components: {
    // The default titles have too little contrast.
    Alert: { styles: { title: { color: token("ink") } } },
    // Overlays render into a named landmark.
    Portal: { defaultProps: { target: "#overlays" } },
    // Otherwise the menu contains a focusable element that isn't an item.
    Menu: {
      defaultProps: { withInitialFocusPlaceholder: false, shadow: "md", offset: 6, transitionProps, middlewares },
    },
    Popover: { defaultProps: { shadow: "md", offset: 6, transitionProps, middlewares } },
    Combobox: { defaultProps: { shadow: "md", offset: 6, transitionProps } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: "lg",
        shadow: "xl",
        padding: "lg",
        closeButtonProps: { "aria-label": "Close" },
        transitionProps,
      },
    },
    Tooltip: { defaultProps: { openDelay: 300, radius: "sm", transitionProps: { ...transitionProps, duration: 120 } } },
    Notification: { defaultProps: { withBorder: true, radius: "lg", closeButtonProps: { "aria-label": "Close" } } },
    Badge: { defaultProps: { radius: "sm", variant: "light" } },
    SegmentedControl: {
      defaultProps: { radius: "md", transitionDuration: 160, transitionTimingFunction: token("ease") },
    },
    InputError: { defaultProps: { role: "alert" } },
  },
});

interface Family {
  fill: string;
  fillHover: string;
  tint: string;
  tintHover: string;
  ink: string;
}

/** Returns Mantine's variables of a color. */
const family = (color: string, { fill, fillHover, tint, tintHover, ink }: Family) => ({
  [`--mantine-color-${color}-filled`]: fill,
  [`--mantine-color-${color}-filled-hover`]: fillHover,
  [`--mantine-color-${color}-light`]: tint,
  [`--mantine-color-${color}-light-hover`]: tintHover,
  [`--mantine-color-${color}-light-color`]: ink,
  [`--mantine-color-${color}-text`]: ink,
  [`--mantine-color-${color}-outline`]: ink,
  [`--mantine-color-${color}-outline-hover`]: tint,
});

/** The colors of a notice; `fill` is the bar at its edge. */
const notice = (name: string) => ({
  fill: token(name),
  fillHover: token(name),
  tint: token(`${name}-tint`),
  tintHover: token(`${name}-tint-hover`),
  ink: token(name),
});

const mapped = {
  "--mantine-color-body": token("surface"),
  "--mantine-color-text": token("ink"),
  "--mantine-color-bright": token("ink"),
  "--mantine-color-dimmed": token("ink-soft"),
  "--mantine-color-placeholder": token("ink-faint"),
  "--mantine-color-anchor": token("accent-ink"),
  "--mantine-color-error": token("danger"),
  "--mantine-color-success": token("accent-ink"),
  "--mantine-color-default": token("field"),
  "--mantine-color-default-hover": token("hover"),
  "--mantine-color-default-color": token("ink"),
  "--mantine-color-default-border": token("line"),
  "--mantine-color-disabled": token("press"),
  "--mantine-color-disabled-color": token("ink-faint"),
  "--mantine-color-disabled-border": token("line"),
  "--mantine-primary-color-contrast": token("on-accent"),
  ...family("glass", {
    fill: token("accent"),
    fillHover: token("accent-hover"),
    tint: token("accent-tint"),
    tintHover: token("accent-tint-hover"),
    ink: token("accent-ink"),
  }),
  ...family("gray", {
    fill: token("ink-soft"),
    fillHover: token("ink"),
    tint: token("press"),
    tintHover: token("hover"),
    ink: token("ink-soft"),
  }),
  ...family("red", { ...notice("danger"), fill: token("danger-fill"), fillHover: token("danger-fill-hover") }),
  // The color of menu items.
  "--mantine-color-red-6": token("danger"),
  ...family("yellow", notice("warning")),
  ...family("blue", notice("info")),
};

/** Maps Mantine's colors to the tokens, which change with the scheme themselves. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: mapped, dark: mapped });
