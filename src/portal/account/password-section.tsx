import { Checkbox, PasswordInput, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useForm } from "@mantine/form";
import { FormFailure, SubmitButton, useSending } from "../shared/form.tsx";
import { sayDone } from "../shared/notify.ts";
import { Section } from "../shared/page.tsx";
import { useSession } from "../shared/session.tsx";
import { useAccount } from "../shared/use-account.ts";

const SHORTEST = 10;

export function PasswordSection() {
  const { user } = useAccount();
  if (!user.has_password) {
    return (
      <Section title="Password">
        <Text>You sign in with single sign-on, so there is no password here. Whoever runs it can change yours.</Text>
      </Section>
    );
  }
  return (
    <Section title="Password" description="A new password signs you out in every other browser.">
      <PasswordForm email={user.email} />
    </Section>
  );
}

function PasswordForm({ email }: { email: string }) {
  const session = useSession();
  const form = useForm({
    name: "password",
    initialValues: { currentPassword: "", newPassword: "", revokeTokens: false },
    validate: {
      currentPassword: (value) => (value === "" ? "Give your current password." : null),
      newPassword: (value) => (value.length < SHORTEST ? `Give at least ${SHORTEST} characters.` : null),
    },
  });
  const { isSending, failure, onSubmit } = useSending(form, {
    labels: { currentPassword: "Current password", newPassword: "New password", password: "New password" },
    async send(values) {
      await session.changePassword(values);
      form.reset();
      sayDone(
        values.revokeTokens
          ? "Your password is changed. You are signed out everywhere else, and your access tokens are revoked."
          : "Your password is changed. You are signed out everywhere else.",
      );
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack maw={420}>
        <VisuallyHidden>
          {/* Tells password managers which account this is. */}
          <input type="text" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden />
        </VisuallyHidden>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ "aria-label": "Show the current password" }}
          rightSectionWidth={44}
          {...form.getInputProps("currentPassword")}
        />
        <PasswordInput
          label="New password"
          description={`At least ${SHORTEST} characters.`}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": "Show the new password" }}
          rightSectionWidth={44}
          {...form.getInputProps("newPassword")}
        />
        <Checkbox
          label="Also revoke all my access tokens"
          description="Scripts, CI jobs and agents that use them stop working at once."
          {...form.getInputProps("revokeTokens", { type: "checkbox" })}
        />
        <FormFailure>{failure}</FormFailure>
        <SubmitButton isSending={isSending} style={{ alignSelf: "flex-start" }}>
          Change password
        </SubmitButton>
      </Stack>
    </form>
  );
}
