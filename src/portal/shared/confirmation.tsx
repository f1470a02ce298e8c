import { Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { createContext, type ReactNode, use, useCallback, useRef, useState } from "react";
import { beginSingleSignOn, confirmPassword, needsConfirmation } from "../api/auth.ts";
import { ApiError } from "../api/client.ts";
import { FormFailure, SubmitButton, useSending } from "./form.tsx";
import { useSession } from "./session.tsx";
import { useAccount } from "./use-account.ts";

const UNAUTHENTICATED = 401;
/** Above the dialog that asks for it. */
const ABOVE_DIALOGS = 250;

/** Resolves to whether the reader has confirmed who they are, or need not. */
export type Confirm = () => Promise<boolean>;

const ConfirmationContext = createContext<Confirm | undefined>(undefined);

/** Returns what asks the reader, where it is needed, to confirm who they are before something is done. */
export function useConfirmation(): Confirm {
  const confirm = use(ConfirmationContext);
  if (confirm === undefined) throw new Error("There is no confirmation around this.");
  return confirm;
}

/** Asks for the password, or for a new single sign-on, where the reader signed in too long ago. */
export function ConfirmationProvider({ children }: { children: ReactNode }) {
  const session = useSession();
  const [isAsking, setAsking] = useState(false);
  const answer = useRef<(isConfirmed: boolean) => void>(undefined);

  const confirm = useCallback(async () => {
    try {
      if (!(await needsConfirmation())) return true;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === UNAUTHENTICATED)) throw error;
      session.expire();
      return false;
    }
    setAsking(true);
    return new Promise<boolean>((resolve) => {
      answer.current?.(false);
      answer.current = resolve;
    });
  }, [session]);

  function close(isConfirmed: boolean): void {
    setAsking(false);
    answer.current?.(isConfirmed);
    answer.current = undefined;
  }

  return (
    <ConfirmationContext value={confirm}>
      {children}
      <Modal
        opened={isAsking}
        onClose={() => close(false)}
        title="Confirm your identity"
        closeOnClickOutside={false}
        zIndex={ABOVE_DIALOGS}
      >
        <Stack>
          <Text>You signed in more than an hour ago. Confirm that it’s you before you create an access token.</Text>
          <Proof onDone={() => close(true)} onCancel={() => close(false)} />
        </Stack>
      </Modal>
    </ConfirmationContext>
  );
}

interface ProofProps {
  onDone(): void;
  onCancel(): void;
}

function Proof(props: ProofProps) {
  const { user } = useAccount();
  return user.has_password ? <PasswordProof email={user.email} {...props} /> : <SingleSignOnProof {...props} />;
}

function PasswordProof({ email, onDone, onCancel }: ProofProps & { email: string }) {
  const form = useForm({
    name: "confirmation",
    initialValues: { password: "" },
    validate: { password: (value) => (value === "" ? "Enter your password." : null) },
  });
  const { isSending, failure, onSubmit } = useSending(form, {
    labels: { password: "Password" },
    async send({ password }) {
      await confirmPassword(password);
      onDone();
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {/* Password managers read whose password it is. */}
        <input type="text" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden hidden />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus
          visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
          rightSectionWidth={44}
          {...form.getInputProps("password")}
        />
        <FormFailure>{failure}</FormFailure>
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <SubmitButton isSending={isSending}>Confirm</SubmitButton>
        </Group>
      </Stack>
    </form>
  );
}

/** Leads to the identity provider and back to this page. */
function SingleSignOnProof({ onCancel }: ProofProps) {
  const form = useForm({ name: "confirmation", initialValues: {} });
  const { isSending, failure, onSubmit } = useSending(form, {
    labels: {},
    async send() {
      location.assign(await beginSingleSignOn(location.pathname + location.search));
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <FormFailure>{failure}</FormFailure>
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <SubmitButton isSending={isSending}>Continue with single sign-on</SubmitButton>
        </Group>
      </Stack>
    </form>
  );
}
