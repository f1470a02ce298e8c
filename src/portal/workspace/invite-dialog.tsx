import { Button, Group, Modal, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { createInvitationRoute, type ResponseOf } from "../../client/routes.ts";
import { FormFailure, SubmitButton, useSending } from "../shared/form.tsx";
import { Secret } from "../shared/secret.tsx";
import { Time } from "../shared/time.tsx";
import { useCall } from "../shared/use-call.ts";
import { NewRoleField } from "./role-field.tsx";

type Invitation = ResponseOf<typeof createInvitationRoute>;

interface Props {
  owner: string;
  isOpen: boolean;
  onClose(): void;
}

/** Creates an invitation and shows its link until the user dismisses it. */
export function InviteDialog({ owner, isOpen, onClose }: Props) {
  const [made, setMade] = useState<Invitation>();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => setMade(undefined)}
      title={made === undefined ? "Invite people" : "Invitation created"}
      closeOnClickOutside={false}
      closeOnEscape={made === undefined}
      withCloseButton={made === undefined}
    >
      {made === undefined ? (
        <InviteForm owner={owner} onMade={setMade} onCancel={onClose} />
      ) : (
        <Secret label="Invitation link" text={made.url} what="invitation link" onDone={onClose}>
          Copy the link and send it to {made.email ?? "the person you invite"}. It won't be shown again. One person
          joins by it, until it expires <Time at={made.expires_at} />.
        </Secret>
      )}
    </Modal>
  );
}

const LIFETIMES = [
  { value: "1d", label: "1 day" },
  { value: "7d", label: "7 days" },
  { value: "30d", label: "30 days" },
  { value: "90d", label: "90 days" },
];

type Values = { role: "member" | "admin"; email: string; expires: string };

interface FormProps {
  owner: string;
  onMade(invitation: Invitation): void;
  onCancel(): void;
}

function InviteForm({ owner, onMade, onCancel }: FormProps) {
  const call = useCall(createInvitationRoute, { owner, about: ["members"] });
  const initialValues: Values = { role: "member", email: "", expires: "7d" };
  const form = useForm<Values>({ name: "invitation", initialValues });
  const { isSending, failure, onSubmit } = useSending(form, {
    labels: { email: "Email address", expires: "Expiry", role: "Role" },
    async send({ role, email, expires }) {
      const address = email.trim();
      onMade(await call.mutateAsync({ owner, role, expires, ...(address === "" ? {} : { email: address }) }));
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <NewRoleField roles={["member", "admin"]} data-autofocus {...form.getInputProps("role")} />
        <TextInput
          label="Email address (optional)"
          description="If set, the link works only for this address. No email is sent."
          type="email"
          autoComplete="off"
          maxLength={254}
          {...form.getInputProps("email")}
        />
        <NativeSelect label="Expires in" data={LIFETIMES} {...form.getInputProps("expires")} />
        <FormFailure>{failure}</FormFailure>
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <SubmitButton isSending={isSending}>Create link</SubmitButton>
        </Group>
      </Stack>
    </form>
  );
}
