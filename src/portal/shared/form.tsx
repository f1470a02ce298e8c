import { Alert, Button, type ButtonProps } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconAlertTriangle } from "@tabler/icons-react";
import { type FormEventHandler, type ReactNode, useState } from "react";
import { ApiError } from "../api/client.ts";
import { messageOf } from "./states.tsx";

/** The part of a form needed to submit it. */
type SentForm<Values> = Pick<UseFormReturnType<Values>, "onSubmit" | "setErrors" | "getInputNode">;

interface Sending<Values> {
  send(values: Values): Promise<unknown>;
  /** Labels of fields, by the names at the start of the server's messages. */
  labels: Readonly<Record<string, string>>;
  /** Returns the field that an error concerns if its message doesn't name one. */
  fieldOf?(error: ApiError): string | undefined;
}

interface SentState {
  isSending: boolean;
  /** An error that concerns no field. */
  failure: string | undefined;
  onSubmit: FormEventHandler<HTMLFormElement>;
}

/** Submits a form once at a time, shows errors at their fields and focuses the first one. */
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

/** The form's general error. */
export const FormFailure = ({ children }: { children: ReactNode }) =>
  children === undefined ? null : (
    <Alert color="red" icon={<IconAlertTriangle />} role="alert">
      {children}
    </Alert>
  );

interface SubmitProps extends ButtonProps {
  isSending: boolean;
}

/** Keeps the focus while sending, which a disabled button would lose. */
export const SubmitButton = ({ isSending, children, ...props }: SubmitProps) => (
  <Button type="submit" aria-disabled={isSending} mod={{ loading: isSending }} {...props}>
    {children}
  </Button>
);
