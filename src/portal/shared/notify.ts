import { ApiError } from "../api/client.ts";
import { messageOf } from "./errors.ts";
import { loadPart } from "./missing-part.ts";
import type { Toast } from "./toasts.tsx";

/** Shows a notice, whose code is loaded with the first of them unless the page is gone by then. */
const show = (toast: Toast): void =>
  void loadPart(import("./toasts.tsx")).then(
    ({ showToast }) => showToast(toast),
    () => undefined,
  );

/** Shows a notice about success; `undo` takes the change back, and its failure is shown. */
export function notifySuccess(message: string, undo?: () => Promise<unknown>): void {
  if (undo === undefined) show({ kind: "success", message });
  else {
    const undoOrSay = () => void undo().catch((error) => notifyError("Couldn't undo", error));
    show({ kind: "success", message, undo: undoOrSay });
  }
}

/** Shows a notice about a failure: its cause, the next step and the id of the request. */
export function notifyError(title: string, error: unknown): void {
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : undefined;
  show({ kind: "error", title, message: messageOf(error), requestId });
}

/** Shows a notice about something impossible, with an alternative. */
export function notifyWarning(title: string, message: string): void {
  show({ kind: "warning", title, message });
}

/** Undoes the latest change whose notice is still shown. Returns false without one. */
export function undoLatest(): boolean {
  const button = [...document.querySelectorAll<HTMLElement>("[data-undo]")].at(-1);
  button?.click();
  return button !== undefined;
}
