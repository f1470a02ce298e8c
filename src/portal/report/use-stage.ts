import { useState } from "react";
import type { FrameProbe } from "../shared/frame-probe/use-frame-probe.ts";
import { useKeys } from "../shared/keyboard.ts";
import { NO_TROUBLE, type Trouble } from "./problems/trouble.ts";

/** Where the report is shown. */
export interface Stage {
  element: HTMLElement | null;
  setElement(element: HTMLElement | null): void;
  /** Changes when the report has to be loaded again. */
  reloads: number;
  reload(): void;
  /** What the shown page says about itself. */
  trouble: Trouble;
  setTrouble(trouble: Trouble): void;
  /** Listens to the shown page; undefined until one is shown. */
  probe: FrameProbe | undefined;
  setProbe(probe: FrameProbe | undefined): void;
  /** Shows the report in full screen. Undefined without a report, or if the browser doesn't support it. */
  present: (() => void) | undefined;
}

/** Lets the bar control the report below it. */
export function useStage(): Stage {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [trouble, setTrouble] = useState(NO_TROUBLE);
  const [probe, setProbe] = useState<FrameProbe>();
  const [reloads, setReloads] = useState(0);
  const canPresent = element !== null && document.fullscreenEnabled;
  const present = canPresent ? () => void element.requestFullscreen().catch(() => undefined) : undefined;
  useKeys({ f: () => (present === undefined ? false : present()) });
  const reload = () => setReloads((count) => count + 1);
  return { element, setElement, reloads, reload, trouble, setTrouble, probe, setProbe, present };
}
