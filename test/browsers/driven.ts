/** A browser as the scenarios drive it, whatever protocol it speaks. Expressions are JavaScript; what they come to has to be JSON. */
export interface Driven extends AsyncDisposable {
  /** Has a page begin to load. Firefox doesn't always say when it has: wait for what should be seen. */
  open(url: string): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  /** The same in the document of the report in view; undefined while there is none. */
  evaluateInReport(expression: string): Promise<unknown>;
  type(selector: string, text: string): Promise<void>;
  click(selector: string): Promise<void>;
  /** Takes the errors and warnings of pages since it was last asked; undefined where the browser tells no one. */
  takeComplaints(): string[] | undefined;
}

/** The frame of the report in view; while another version loads behind it there are two. */
export const REPORT_FRAME = "iframe:not(.waiting)";
