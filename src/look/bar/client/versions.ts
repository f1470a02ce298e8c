import { setText } from "../../client/set-text.ts";
import { type ChoiceGroup, createMenu } from "./menu.ts";
import { partOf } from "./parts.ts";

/** A version as the bar names it. `created_at` is ISO 8601. */
export interface BarVersion {
  code: string;
  version_no: number;
  title: string;
  created_at: string;
}

/** Newest first. If not `complete`, there are older ones. */
export interface OfferedVersions<Version extends BarVersion> {
  versions: readonly Version[];
  complete: boolean;
}

export interface BarState<Version extends BarVersion> {
  shown: Version;
  /** The current version; undefined where the page doesn't follow it. */
  current: Version | undefined;
  /** Whether new versions wait until the reader asks for them. */
  isPaused: boolean;
}

export interface VersionActions<Version extends BarVersion> {
  /** Returns the versions that the reader may see; undefined if they can't be loaded. */
  loadVersions(): Promise<OfferedVersions<Version> | undefined>;
  choose(version: Version): void;
  /** Starts and pauses following the current version; undefined for links to one version. */
  updates?: { follow(): void; pause(): void } | undefined;
}

export const versionName = ({ version_no }: BarVersion) => `Version ${version_no}`;

interface Scrubber<Version extends BarVersion> extends VersionActions<Version> {
  root: HTMLElement;
  signal: AbortSignal;
  state: BarState<Version>;
}

/** Lets the reader step, slide and choose between versions. They are loaded when the reader turns to the bar. */
export function createScrubber<Version extends BarVersion>(options: Scrubber<Version>) {
  const { root, signal, loadVersions, choose, updates } = options;
  const older = partOf(root, "older", HTMLButtonElement);
  const newer = partOf(root, "newer", HTMLButtonElement);
  const slider = partOf(root, "slider", HTMLInputElement);
  const button = partOf(root, "version", HTMLButtonElement);
  const text = partOf(root, "version-text", HTMLElement);
  let state = options.state;
  let offered: OfferedVersions<Version> | undefined;
  let loading: Promise<OfferedVersions<Version>> | undefined;

  const menu = createMenu({
    button,
    menu: partOf(root, "menu", HTMLElement),
    signal,
    opened() {
      fillMenu();
      void load();
    },
  });

  function load(): Promise<OfferedVersions<Version>> {
    loading ??= loadVersions()
      .catch(() => undefined)
      .then((answer) => {
        loading = undefined;
        offered = answer ?? offered ?? { versions: [], complete: false };
        render();
        if (menu.isOpen()) fillMenu();
        return offered;
      });
    return loading;
  }

  /** Loads them again: an answer that is already on its way can be older than the change that calls for this. */
  async function reload(): Promise<OfferedVersions<Version>> {
    await loading;
    return load();
  }

  const known = async () => (offered === undefined || offered.versions.length === 0 ? load() : offered);

  const placeIn = (versions: readonly Version[]) => {
    const place = versions.findIndex(({ code }) => code === state.shown.code);
    // A partial list may end before the shown version.
    return place < 0 ? versions.length : place;
  };

  /** Shows the next version (1) or the one before (-1). */
  async function step(by: 1 | -1): Promise<void> {
    const { versions } = await known();
    const next = versions[placeIn(versions) - by];
    if (next !== undefined) choose(next);
  }

  function update(next: BarState<Version>): void {
    state = next;
    // A newer version than those that were loaded.
    if (offered?.versions.every(({ code }) => code !== next.shown.code)) offered = undefined;
    render();
    if (menu.isOpen()) void reload();
  }

  function render(): void {
    const { shown, current } = state;
    setText(text, versionName(shown));
    button.title = new Date(shown.created_at).toLocaleString(undefined, { dateStyle: "full", timeStyle: "short" });
    const versions = offered?.versions ?? [];
    const place = placeIn(versions);
    const isKnown = offered !== undefined;
    const count = isKnown ? versions.length : (current ?? shown).version_no;
    for (const control of [older, newer, slider]) control.hidden = count < 2;
    older.disabled = isKnown ? place >= versions.length - 1 : shown.version_no <= 1;
    newer.disabled = isKnown ? place === 0 : shown.code === current?.code;
    slider.max = String(Math.max(count, 1));
    slider.value = String(isKnown ? count - place : shown.version_no);
    slider.setAttribute("aria-valuetext", versionName(shown));
  }

  function fillMenu(): void {
    const { shown, current, isPaused } = state;
    const following = updates && {
      label: "When a new version is published",
      choices: [
        { text: "Always show the current version", detail: "", isChecked: !isPaused, choose: updates.follow },
        { text: "Pause updates", detail: "", isChecked: isPaused, choose: updates.pause },
      ],
      instead: "",
    };
    const list: ChoiceGroup = {
      label: "Versions",
      choices: (offered?.versions ?? []).map((version) => ({
        text: versionName(version),
        detail: describe(version, current),
        isChecked: version.code === shown.code,
        choose: () => choose(version),
      })),
      instead: offered === undefined ? "Loading…" : "Couldn't load the versions. Close this menu and try again.",
    };
    menu.fill(following === undefined ? [list] : [following, list]);
  }

  /** Returns the version at a place of the slider, which are version numbers until the versions are known. */
  async function versionAt(place: number): Promise<Version | undefined> {
    const isKnown = offered !== undefined;
    const { versions } = await known();
    if (isKnown) return versions[versions.length - place];
    return versions.find(({ version_no }) => version_no <= place);
  }

  older.addEventListener("click", () => void step(-1));
  newer.addEventListener("click", () => void step(1));
  slider.addEventListener("input", async () => {
    const version = await versionAt(slider.valueAsNumber);
    if (version !== undefined) setText(text, versionName(version));
  });
  slider.addEventListener("change", async () => {
    const version = await versionAt(slider.valueAsNumber);
    if (version !== undefined) choose(version);
  });
  const prepare = () => {
    const mayHaveOthers = state.current === undefined || state.current.version_no > 1;
    if (offered === undefined && mayHaveOthers) void load();
  };
  root.addEventListener("pointerenter", prepare, { signal });
  root.addEventListener("focusin", prepare, { signal });
  render();

  return { update, step, reload };
}

function describe({ code, title, created_at }: BarVersion, current: BarVersion | undefined): string {
  const date = new Date(created_at).toLocaleDateString(undefined, { dateStyle: "medium" });
  return [code === current?.code && "current", date, title].filter(Boolean).join(" · ");
}
