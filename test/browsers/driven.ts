/** A browser as the scenarios drive it, whatever protocol it speaks. Expressions are JavaScript and return JSON. */
export interface Driven extends AsyncDisposable {
  /** Starts loading a page. Firefox doesn't always report when it has loaded: wait for what should be visible. */
  open(url: string): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  /** Evaluates in the document of the visible report; undefined while there is none. */
  evaluateInReport(expression: string): Promise<unknown>;
  type(selector: string, text: string): Promise<void>;
  click(selector: string): Promise<void>;
  /** Presses keys one after the other, in whatever has the focus. */
  press(keys: string): Promise<void>;
  /** Presses keys together, such as Control and K, or one that isn't a letter. */
  pressTogether(...keys: readonly Key[]): Promise<void>;
  /** Takes the errors and warnings of pages since the last call; undefined if the browser doesn't report any. */
  takeComplaints(): string[] | undefined;
}

/** A key with the name that it has in keyboard events. */
export type Key = "Control" | "Enter" | "Escape" | "Tab" | "ArrowDown" | "k";

/** The frame of the visible report; there are two while another version loads behind it. */
export const REPORT_FRAME = "iframe:not(.waiting)";

/** Milliseconds from one key to the next, as of somebody who types fast. */
export const KEY_DELAY = 30;
