/** Ten shades, lightest first. */
export type Shades = readonly [string, string, string, string, string, string, string, string, string, string];

/** Vitrine's green, the color of thick glass seen from the edge. The seventh shade is the logo's. */
export const GLASS: Shades = [
  "#edf7f5",
  "#e0f1ee",
  "#bfe2dc",
  "#8fcdc4",
  "#5fd0c2",
  "#2fb3a3",
  "#1a8d80",
  "#0b6e66",
  "#085a53",
  "#054741",
];

/** The neutrals of the light scheme, tinted with the same green. */
export const LIGHT_NEUTRALS: Shades = [
  "#f5f7f6",
  "#eef2f0",
  "#e3e8e6",
  "#d7dedb",
  "#c3ccc9",
  "#9aa5a1",
  "#6b7773",
  "#55615d",
  "#343e3b",
  "#17201e",
];

/** The neutrals of the dark scheme, from text to what lies behind the page. */
export const DARK_NEUTRALS: Shades = [
  "#e9efec",
  "#c7d1cd",
  "#a0aca8",
  "#85918d",
  "#2b3331",
  "#242b29",
  "#1c2220",
  "#141918",
  "#0d1110",
  "#070a09",
];

/** Colors by purpose: in the light scheme, in the dark one. */
export const COLORS = {
  /** Behind the page: header, sidebar, the surroundings of a report. */
  ground: ["#f5f7f6", "#0d1110"],
  /** The page. */
  surface: ["#ffffff", "#141918"],
  /** Above the page: menus, dialogs, notices. */
  raised: ["#ffffff", "#1c2220"],
  /** Fields and secondary buttons, on any surface. */
  field: ["#ffffff", "#d2fff00a"],
  /** Under the pointer, on any surface. */
  hover: ["#1446390d", "#d2fff00f"],
  /** Chosen or pressed, on any surface. */
  press: ["#14463917", "#d2fff01c"],

  ink: ["#17201e", "#e9efec"],
  "ink-soft": ["#55615d", "#a0aca8"],
  "ink-faint": ["#616d69", "#8b9793"],

  line: ["#e3e8e6", "#272e2c"],
  /** The edge of what can be operated. */
  edge: ["#c3ccc9", "#3b4542"],

  /** The edge of what lies above the page; in the light scheme its shadow is enough. */
  rim: ["#17201e12", "#333b39"],
  /** What slides within a control. */
  thumb: ["#ffffff", "#3b4542"],
  tip: ["#17201e", "#3b4542"],
  "on-tip": ["#ffffff", "#e9efec"],

  accent: ["#0b6e66", "#2fb3a3"],
  "accent-hover": ["#085a53", "#4ac5b6"],
  "on-accent": ["#ffffff", "#04211d"],
  "accent-ink": ["#0b6e66", "#5fd0c2"],
  "accent-tint": ["#e4f3f0", "#2fb3a326"],
  "accent-tint-hover": ["#d5ebe7", "#2fb3a338"],

  danger: ["#b3261e", "#ff9d96"],
  "danger-fill": ["#c4302b", "#c4302b"],
  "danger-fill-hover": ["#a92722", "#a92722"],
  "danger-tint": ["#fcecea", "#ff6e6424"],
  "danger-tint-hover": ["#f9dedb", "#ff6e6438"],
  warning: ["#854a06", "#f0b968"],
  "warning-tint": ["#fcf2df", "#f0b4501f"],
  "warning-tint-hover": ["#f8e8c8", "#f0b45033"],
  info: ["#2a58a8", "#9bbcff"],
  "info-tint": ["#e9f0fb", "#78a5ff24"],
  "info-tint-hover": ["#dae6f8", "#78a5ff38"],

  /** The colors of `shadow-*`; in the dark scheme, edges and surfaces show what lies above what. */
  "shade-near": ["#10332c14", "#00000059"],
  "shade-far": ["#10332c1f", "#00000080"],
  veil: ["#0c1f1b5c", "#000000a3"],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

/** The portal's frame, in pixels. */
export const FRAME = { header: 52, sidebar: 264 } as const;

/** What is the same in both schemes. */
export const SCALES = {
  font: `-apple-system, BlinkMacSystemFont, "Segoe UI Variable Text", "Segoe UI", "Adwaita Sans", Cantarell, Ubuntu, Roboto, "Noto Sans", "Aligned Nimbus", system-ui, sans-serif`,
  mono: `ui-monospace, SFMono-Regular, Menlo, "Cascadia Mono", Consolas, "Noto Sans Mono", monospace`,

  "text-xs": "0.75rem",
  "text-sm": "0.8125rem",
  "text-md": "0.875rem",
  "text-lg": "1rem",
  "text-xl": "1.125rem",
  "title-4": "0.9375rem",
  "title-3": "1.0625rem",
  "title-2": "1.25rem",
  "title-1": "1.625rem",
  /** The letter spacing of titles. */
  tight: "-0.014em",

  "space-1": "0.25rem",
  "space-2": "0.5rem",
  "space-3": "0.75rem",
  "space-4": "1rem",
  "space-5": "1.5rem",
  "space-6": "2rem",
  "space-7": "3rem",

  "radius-xs": "4px",
  "radius-sm": "6px",
  "radius-md": "8px",
  "radius-lg": "12px",
  "radius-xl": "16px",

  "shadow-sm": "0 1px 2px var(--shade-near)",
  "shadow-md": "0 1px 2px var(--shade-near), 0 6px 20px -4px var(--shade-far)",
  "shadow-lg": "0 2px 6px var(--shade-near), 0 20px 48px -12px var(--shade-far)",

  header: `${FRAME.header}px`,
  sidebar: `${FRAME.sidebar}px`,

  ease: "cubic-bezier(0.2, 0, 0, 1)",
  quick: "120ms",
  slow: "200ms",

  focus: "2px solid var(--accent)",
} as const satisfies Readonly<Record<string, string>>;

const VALUES = new Map<string, string>([
  ...Object.entries(COLORS).map(([name, [light, dark]]): [string, string] => [name, `light-dark(${light},${dark})`]),
  ...Object.entries(SCALES),
]);

/** Nimbus Sans, a common fallback on Linux, sits too high in its lines. */
const FALLBACK_FONT = `@font-face{font-family:"Aligned Nimbus";src:local("Nimbus Sans"),local("NimbusSans-Regular");ascent-override:96%;descent-override:24%;line-gap-override:0%}`;

function declare(names: Iterable<string>): string {
  const declarations = Array.from(names, (name) => `--${name}:${VALUES.get(name)}`);
  return `${FALLBACK_FONT}:root{color-scheme:light dark;${declarations.join(";")}}`;
}

/** All of the above as custom properties, and that pages come in both schemes. */
export const TOKENS = declare(VALUES.keys());

/** Returns those of `TOKENS` that a style refers to, for pages that have to be small. */
export function tokensOf(style: string): string {
  const used = new Set<string>();
  function add(text: string): void {
    for (const [, name = ""] of text.matchAll(/var\(--([\w-]+)/g)) {
      const value = VALUES.get(name);
      if (value === undefined || used.has(name)) continue;
      used.add(name);
      add(value);
    }
  }
  add(style);
  return declare(used);
}
