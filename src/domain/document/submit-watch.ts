import type { FoundElement } from "./html.ts";

const SUBMITS = /^(?:submit|image)$/i;
/** Actions that send nothing away. */
const STAYS = /^\s*(?:#.*|javascript:.*)?$/is;

interface OpenForm {
  readonly at: number;
  readonly isHandled: boolean;
  submits: boolean;
}

/** Follows which forms of a page a browser would send itself when a reader presses their button. */
export class SubmitWatch {
  /** Where they begin. */
  readonly forms: number[] = [];
  private open: OpenForm | undefined;
  private handlerAt = -1;

  /** Notes that the tag being read has an event handler. */
  handler(at: number): void {
    this.handlerAt = at;
  }

  element({ role, name, at, attributes }: FoundElement): void {
    if (role === "form") this.begin(at, attributes);
    else if (this.open !== undefined && this.handlerAt < at)
      this.open.submits ||= isSubmit(name, attributes.get("type")?.text.trim());
  }

  end(): void {
    if (this.open?.submits && !this.open.isHandled) this.forms.push(this.open.at);
    this.open = undefined;
  }

  private begin(at: number, attributes: FoundElement["attributes"]): void {
    this.end();
    const isDialog = /^\s*dialog\s*$/i.test(attributes.get("method")?.text ?? "");
    const action = attributes.get("action")?.text ?? "";
    const isHandled = isDialog || attributes.has("onsubmit") || /^\s*javascript:/i.test(action);
    this.open = { at, isHandled, submits: !STAYS.test(action) };
  }
}

/** A button submits unless it says otherwise; an input does only if it says so. */
const isSubmit = (name: string, type: string | undefined): boolean =>
  type === undefined || type === "" ? name === "button" : SUBMITS.test(type);
