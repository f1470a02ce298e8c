import { Checkbox, PasswordInput, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useForm } from "@mantine/form";
import { FormFailure, SubmitButton, useSending } from "../shared/form.tsx";
import { notifySuccess } from "../shared/notify.ts";
import { Section } from "../shared/page.tsx";
import { useSession } from "../shared/session.tsx";
import { useAccount } from "../shared/use-account.ts";

const MIN_PASSWORD_LENGTH = 10;

export function PasswordSection() {
  const { user } = useAccount();
  if (!user.has_password) {
    return (
      <Section title="Password">
        <Text>
          You use single sign-on, so you have no password here. Change your password with your identity provider.
        </Text>
      </Section>
    );
  }
  return (
    <Section title="Password" description="Changing your password signs you out everywhere else.">
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
      currentPassword: (value) => (value === "" ? "Enter your current password." : null),
      newPassword: (value) =>
        value.length < MIN_PASSWORD_LENGTH ? `Use at least ${MIN_PASSWORD_LENGTH} characters.` : null,
    },
  });
  const { isSending, failure, onSubmit } = useSending(form, {
    labels: { currentPassword: "Current password", newPassword: "New password", password: "New password" },
    async send(values) {
      await session.changePassword(values);
      form.reset();
      notifySuccess(
        values.revokeTokens
          ? "Password changed. You were signed out everywhere else, and your access tokens were revoked."
          : "Password changed. You were signed out everywhere else.",
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
          visibilityToggleButtonProps={{ "aria-label": "Show current password" }}
          rightSectionWidth={44}
          {...form.getInputProps("currentPassword")}
        />
        <PasswordInput
          label="New password"
          description={`At least ${MIN_PASSWORD_LENGTH} characters.`}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": "Show new password" }}
          rightSectionWidth={44}
          {...form.getInputProps("newPassword")}
        />
        <Checkbox
          label="Also revoke all access tokens"
          description="Scripts, CI jobs and agents that use them stop working immediately."
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
