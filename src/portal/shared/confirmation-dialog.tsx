import { Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { beginSingleSignOn, confirmPassword } from "../api/auth.ts";
import { FormFailure, SubmitButton, useSending } from "./form.tsx";
import { useAccount } from "./use-account.ts";

/** Above the dialog that asks for it. */
const ABOVE_DIALOGS = 250;

/** Asks the user to confirm their identity. */
export function ConfirmationDialog({ onClose }: { onClose(isConfirmed: boolean): void }) {
  return (
    <Modal
      opened
      onClose={() => onClose(false)}
      title="Confirm your identity"
      closeOnClickOutside={false}
      zIndex={ABOVE_DIALOGS}
    >
      <Stack>
        <Text>You signed in more than an hour ago. Confirm that it's you before you create an access token.</Text>
        <Proof onDone={() => onClose(true)} onCancel={() => onClose(false)} />
      </Stack>
    </Modal>
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
        {/* Tells password managers which account this is. */}
        <input type="text" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden hidden />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus
          visibilityToggleButtonProps={{ "aria-label": "Show password" }}
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

/** Sends the user to the identity provider and back to this page. */
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
