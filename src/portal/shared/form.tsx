import { Alert, Button, type ButtonProps } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconAlertTriangle } from "@tabler/icons-react";
import { type FormEventHandler, type ReactNode, useState } from "react";
import { ApiError } from "../api/client.ts";
import { messageOf } from "./states.tsx";

/** As much of a form as is needed to send it, whatever its fields. */
type SentForm<Values> = Pick<UseFormReturnType<Values>, "onSubmit" | "setErrors" | "getInputNode">;

interface Sending<Values> {
  send(values: Values): Promise<unknown>;
  /** Fields by the names that the server's sentences begin with, as people know them. */
  labels: Readonly<Record<string, string>>;
  /** The field that a refusal is about, where its sentence does not say so. */
  fieldOf?(error: ApiError): string | undefined;
}

interface SentState {
  isSending: boolean;
  /** What went wrong that is no field's. */
  failure: string | undefined;
  onSubmit: FormEventHandler<HTMLFormElement>;
}

/** Sends a form once at a time; what is wrong stands at its field, and the first such field gets the focus. */
export function useSending<Values extends Record<string, unknown>>(
  form: SentForm<Values>,
  { send, labels, fieldOf }: Sending<Values>,
): SentState {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();

  function focus(field: string | undefined): void {
    if (field !== undefined) form.getInputNode<HTMLElement, string>(field)?.focus();
  }

  function explain(error: unknown): void {
    const message = messageOf(error);
    const [word = ""] = /^\w+/.exec(message) ?? [];
    const named = word in labels ? word : undefined;
    const field = error instanceof ApiError ? (named ?? fieldOf?.(error)) : undefined;
    if (field === undefined) {
      setFailure(message);
      return;
    }
    form.setErrors({ [field]: named === undefined ? message : message.replace(/^\w+/, labels[named] ?? named) });
    focus(field);
  }

  const onSubmit = form.onSubmit(
    async (values) => {
      if (isSending) return;
      setSending(true);
      setFailure(undefined);
      await send(values).catch(explain);
      setSending(false);
    },
    (errors) => focus(Object.keys(errors)[0]),
  );

  return { isSending, failure, onSubmit };
}

/** What went wrong with a form as a whole. */
export const FormFailure = ({ children }: { children: ReactNode }) =>
  children === undefined ? null : (
    <Alert color="red" icon={<IconAlertTriangle />} role="alert">
      {children}
    </Alert>
  );

interface SubmitProps extends ButtonProps {
  isSending: boolean;
}

/** Keeps the focus while it sends, which a button that is truly disabled would lose. */
export const SubmitButton = ({ isSending, children, ...props }: SubmitProps) => (
  <Button type="submit" aria-disabled={isSending} mod={{ loading: isSending }} {...props}>
    {children}
  </Button>
);
