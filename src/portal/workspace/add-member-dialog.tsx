import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { addMemberRoute } from "../../client/routes.ts";
import { FormFailure, SubmitButton, useSending } from "../shared/form.tsx";
import { notifySuccess } from "../shared/notify.ts";
import type { Role } from "../shared/roles.ts";
import { useWorkspace } from "../shared/use-account.ts";
import { useCall } from "../shared/use-call.ts";
import { NewRoleField } from "./role-field.tsx";

interface Props {
  owner: string;
  isOpen: boolean;
  onClose(): void;
}

export const AddMemberDialog = ({ owner, isOpen, onClose }: Props) => (
  <Modal opened={isOpen} onClose={onClose} title="Add a member">
    <AddMemberForm owner={owner} onClose={onClose} />
  </Modal>
);

type Values = { user: string; role: Role };

/** Status codes about the user: not found, or already a member. */
const ABOUT_USER = [404, 409];

function AddMemberForm({ owner, onClose }: Omit<Props, "isOpen">) {
  const isOwner = useWorkspace(owner)?.role === "owner";
  const call = useCall(addMemberRoute, { owner, about: ["members"] });
  const initialValues: Values = { user: "", role: "member" };
  const form = useForm<Values>({
    name: "member",
    initialValues,
    validate: { user: (user) => (user.trim() === "" ? "Enter a username." : null) },
  });
  const { isSending, failure, onSubmit } = useSending(form, {
    labels: { user: "Username", role: "Role" },
    fieldOf: ({ status }) => (ABOUT_USER.includes(status) ? "user" : undefined),
    async send({ user, role }) {
      await call.mutateAsync({ owner, user: user.trim(), role });
      onClose();
      notifySuccess(`${user.trim()} added`);
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <TextInput
          label="Username"
          description="The username of someone with an account on this server."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps("user")}
        />
        <NewRoleField
          roles={isOwner ? ["member", "admin", "owner"] : ["member", "admin"]}
          {...form.getInputProps("role")}
        />
        <FormFailure>{failure}</FormFailure>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton isSending={isSending}>Add</SubmitButton>
        </Group>
      </Stack>
    </form>
  );
}
