import type { FoundElement } from "../document.ts";

const SUBMITS = /^(?:submit|image)$/i;
/** Actions that send no request. */
const STAYS = /^\s*(?:#.*|javascript:.*)?$/is;

interface OpenForm {
  readonly at: number;
  readonly isHandled: boolean;
  submits: boolean;
}

/** Finds the forms of a page that the browser submits when a reader presses their button. */
export class SubmitWatch {
  /** The positions of those forms. */
  readonly forms: number[] = [];
  private open: OpenForm | undefined;
  private handlerAt = -1;

  /** Records the position of an event handler, which comes before the element that has it. */
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

/** A button submits by default, an input only with such a type. */
const isSubmit = (name: string, type: string | undefined): boolean =>
  type === undefined || type === "" ? name === "button" : SUBMITS.test(type);
