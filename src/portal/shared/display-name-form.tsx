import { Group, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useEffect } from "react";
import { setDisplayNameRoute } from "../../client/routes.ts";
import { FormFailure, SubmitButton, useSending } from "./form.tsx";
import { sayDone } from "./notify.ts";
import { useCall } from "./use-call.ts";

const LONGEST = 120;

interface Props {
  owner: string;
  /** As it is now. */
  name: string;
  description: string;
  autoComplete: string;
}

/** How people see a workspace, or the reader. */
export function DisplayNameForm({ owner, name, description, autoComplete }: Props) {
  const call = useCall(setDisplayNameRoute, { owner, about: ["settings", "members"] });
  const form = useForm({
    name: `name-of-${owner}`,
    initialValues: { display_name: name },
    validate: { display_name: (value) => (value.trim() === "" ? "Give a name." : null) },
  });
  const { isSending, failure, onSubmit } = useSending(form, {
    labels: { display_name: "Name" },
    async send({ display_name }) {
      await call.mutateAsync({ owner, display_name: display_name.trim() });
      sayDone("The name is saved.");
    },
  });
  const { initialize } = form;
  // Somebody may have changed it elsewhere.
  useEffect(() => initialize({ display_name: name }), [initialize, name]);
  return (
    <form onSubmit={onSubmit} noValidate>
      <FormFailure>{failure}</FormFailure>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Name"
          description={description}
          autoComplete={autoComplete}
          maxLength={LONGEST}
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
