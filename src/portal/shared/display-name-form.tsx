import { Group, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { useEffect, useRef } from "react";
import { setDisplayNameRoute } from "../../client/routes.ts";
import { FormFailure, SubmitButton, useSending } from "./form.tsx";
import { notifySuccess } from "./notify.ts";
import { useCall } from "./use-call.ts";

const MAX_LENGTH = 120;

interface Props {
  owner: string;
  /** The saved name. */
  name: string;
  description: string;
  autoComplete: string;
}

type NameForm = UseFormReturnType<{ display_name: string }>;

/** Follows changes made elsewhere, unless the user is editing. */
function useFollowing(form: NameForm, name: string): void {
  const latest = useRef(form);
  latest.current = form;
  useEffect(() => {
    const { isDirty, setInitialValues, setValues, resetDirty } = latest.current;
    const isTyped = isDirty();
    setInitialValues({ display_name: name });
    if (isTyped) return;
    setValues({ display_name: name });
    resetDirty();
  }, [name]);
}

/** Changes the display name of a workspace or user. */
export function DisplayNameForm({ owner, name, description, autoComplete }: Props) {
  const call = useCall(setDisplayNameRoute, { owner, about: ["settings", "members"] });
  const form = useForm({
    name: `name-of-${owner}`,
    initialValues: { display_name: name },
    validate: { display_name: (value) => (value.trim() === "" ? "Enter a name." : null) },
  });
  const { isSending, failure, onSubmit } = useSending(form, {
    labels: { display_name: "Name" },
    async send({ display_name }) {
      await call.mutateAsync({ owner, display_name: display_name.trim() });
      notifySuccess("Name saved");
    },
  });
  useFollowing(form, name);

  return (
    <form onSubmit={onSubmit} noValidate>
      <FormFailure>{failure}</FormFailure>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Name"
          placeholder={owner}
          description={description}
          autoComplete={autoComplete}
          maxLength={MAX_LENGTH}
          flex="1 1 240px"
          maw={420}
          inputWrapperOrder={["label", "description", "input", "error"]}
          {...form.getInputProps("display_name")}
        />
        <SubmitButton isSending={isSending}>Save</SubmitButton>
      </Group>
    </form>
  );
}
