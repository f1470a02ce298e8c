import { Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useNavigate } from "@tanstack/react-router";
import { type ChangeEvent, useState } from "react";
import { SLUG_PATTERN } from "../../client/definitions.ts";
import { createOrganizationRoute, setDefaultVisibilityRoute } from "../../client/routes.ts";
import { FormFailure, SubmitButton, useSending } from "../shared/form.tsx";
import { notifySuccess } from "../shared/notify.ts";
import { SLUG_RULE, suggestSlug } from "../shared/slug.ts";
import { useAccountCall } from "./use-account-call.ts";

const CONFLICT = 409;

export function NewOrganizationForm() {
  const navigate = useNavigate();
  const call = useAccountCall(createOrganizationRoute);
  const sharing = useAccountCall(setDefaultVisibilityRoute);
  const [isSlugOwn, setSlugOwn] = useState(false);
  const form = useForm({
    name: "organization",
    initialValues: { name: "", slug: "" },
    validate: {
      name: (name) => (name.trim() === "" ? "Enter a name." : null),
      slug: (slug) => (SLUG_PATTERN.test(slug) ? null : SLUG_RULE),
    },
  });
  const { isSending, failure, onSubmit } = useSending(form, {
    labels: { name: "Name", slug: "Short name" },
    fieldOf: ({ status }) => (status === CONFLICT ? "slug" : undefined),
    async send({ name, slug }) {
      await call.mutateAsync({ name: name.trim(), slug });
      // It exists even if this fails; its settings show what applies.
      await sharing.mutateAsync({ owner: slug, visibility: "org" }).catch(() => undefined);
      notifySuccess(`${name.trim()} created. Invite people under Members.`);
      await navigate({ to: "/w/$owner", params: { owner: slug } });
    },
  });
  const slug = form.getInputProps("slug");
  function rename({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>): void {
    form.setFieldValue("name", value);
    if (!isSlugOwn) form.setFieldValue("slug", suggestSlug(value));
  }
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack maw={420}>
        <TextInput
          label="Name"
          description="Shown to its members and readers."
          autoComplete="off"
          maxLength={120}
          {...form.getInputProps("name")}
          onChange={rename}
        />
        <TextInput
          label="Short name"
          description="Used in links: lowercase letters, digits and hyphens. It can't be changed later."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={39}
          {...slug}
          onChange={(event) => {
            setSlugOwn(event.currentTarget.value !== "");
            slug.onChange(event);
          }}
        />
        <FormFailure>{failure}</FormFailure>
        <SubmitButton isSending={isSending} style={{ alignSelf: "flex-start" }}>
          Create organization
        </SubmitButton>
      </Stack>
    </form>
  );
}
