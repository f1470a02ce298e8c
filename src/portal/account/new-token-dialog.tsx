import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { createTokenRoute } from "../../client/routes.ts";
import { useConfirmation } from "../shared/confirmation.tsx";
import { FormFailure, SubmitButton, useSending } from "../shared/form.tsx";
import { Secret } from "../shared/secret.tsx";
import { useOwner } from "../shared/use-account.ts";
import { ExpiryFields, type ExpiryValues, expiryDays, expiryError } from "./expiry-fields.tsx";
import { type Scope, ScopeFields } from "./scope-fields.tsx";
import { useAccountCall } from "./use-account-call.ts";
import { WorkspaceField } from "./workspace-field.tsx";

const MAX_NAME_LENGTH = 100;

interface Props {
  isOpen: boolean;
  onClose(): void;
}

/** Creates an access token and shows its secret until the user dismisses it. */
export function NewTokenDialog({ isOpen, onClose }: Props) {
  const [token, setToken] = useState<string>();
  const isShown = token !== undefined;
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => setToken(undefined)}
      title={isShown ? "Your new access token" : "Create an access token"}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={!isShown}
      withCloseButton={!isShown}
    >
      {isShown ? (
        <Secret label="Access token" text={token} what="access token" onDone={onClose}>
          Copy it now. It won't be shown again.
        </Secret>
      ) : (
        <NewTokenForm onMade={setToken} onCancel={onClose} />
      )}
    </Modal>
  );
}

type Values = ExpiryValues & {
  name: string;
  owner: string;
  scopes: Scope[];
};

function NewTokenForm({ onMade, onCancel }: { onMade(token: string): void; onCancel(): void }) {
  const owner = useOwner();
  const call = useAccountCall(createTokenRoute);
  const confirm = useConfirmation();
  const initialValues: Values = {
    name: "",
    owner,
    scopes: ["reports:read", "reports:write"],
    expiry: "90",
    days: "",
  };
  const form = useForm<Values>({
    name: "token",
    initialValues,
    validate: {
      name: (name) => (name.trim() === "" ? "Enter a name to recognize it by." : null),
      scopes: (scopes) => (scopes.length === 0 ? "Choose at least one scope." : null),
      days: (_, values) => expiryError(values),
    },
  });
  const { isSending, failure, onSubmit } = useSending(form, {
    labels: { name: "Name", scopes: "Scopes", expires_in_days: "Days" },
    async send({ name, owner, scopes, ...expiry }) {
      // The hour may have passed since the dialog was opened.
      if (!(await confirm())) return;
      const made = await call.mutateAsync({ name: name.trim(), owner, scopes, expires_in_days: expiryDays(expiry) });
      onMade(made.token);
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description="What uses it, such as “Nightly build”."
          autoComplete="off"
          maxLength={MAX_NAME_LENGTH}
          data-autofocus
          {...form.getInputProps("name")}
        />
        <WorkspaceField {...form.getInputProps("owner")} />
        <ScopeFields {...form.getInputProps("scopes")} />
        <ExpiryFields form={form} />
        <FormFailure>{failure}</FormFailure>
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <SubmitButton isSending={isSending}>Create token</SubmitButton>
        </Group>
      </Stack>
    </form>
  );
}
