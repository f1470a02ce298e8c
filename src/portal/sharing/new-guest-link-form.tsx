import { Button, Checkbox, Group, NativeSelect, PasswordInput, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { createGuestLinkRoute, type ItemDetailEntry } from "../../client/routes.ts";
import { referenceOf, referenceText } from "../api/references.ts";
import { FormFailure, SubmitButton, useSending } from "../shared/form.tsx";
import { EXPIRY_CHOICES, expiryOf, LABEL_CHARACTERS, partsOf } from "./guest-limits.ts";
import type { NewGuestLink } from "./guest-link-created.tsx";
import { useGuestCall } from "./guest-queries.ts";
import styles from "./sharing.module.css";

interface Props {
  item: ItemDetailEntry;
  /** Whether the server sends the mails that prove addresses. */
  canMail: boolean;
  onCreated(link: NewGuestLink): void;
  onCancel(): void;
}

const VERSION = "version";

/** Asks what a new guest link opens, and for whom. */
export function NewGuestLinkForm({ item, canMail, onCreated, onCancel }: Props) {
  const call = useGuestCall(createGuestLinkRoute, referenceText(item));
  const form = useForm({
    name: "new-guest-link",
    initialValues: {
      ...{ label: "", expiry: "30", opens: "report" },
      ...{ hasPassword: false, password: "", hasEmails: false, emails: "", isEmbedded: false, embed_origins: "" },
      comments: false,
      preview: false,
    },
    validate: {
      password: (password, { hasPassword }) => (hasPassword && password === "" ? "Enter a password." : null),
      emails: (emails, { hasEmails }) => (hasEmails && partsOf(emails).length === 0 ? "Enter an address." : null),
      embed_origins: (origins, { isEmbedded }) =>
        isEmbedded && partsOf(origins).length === 0 ? "Enter the address of a site." : null,
    },
  });
  const { isSending, failure, onSubmit } = useSending(form, {
    labels: { label: "Label", password: "Password", emails: "Email addresses", embed_origins: "Sites" },
    async send(values) {
      const origins = values.isEmbedded ? partsOf(values.embed_origins).map(toOrigin) : [];
      const expires_at = expiryOf(values.expiry);
      const { url } = await call.mutateAsync({
        ...(values.opens === VERSION ? { code: item.code } : referenceOf(referenceText(item))),
        ...(values.label.trim() === "" ? {} : { label: values.label.trim() }),
        ...(expires_at === undefined ? {} : { expires_at }),
        ...(values.hasPassword ? { password: values.password } : {}),
        ...(values.hasEmails ? { emails: partsOf(values.emails) } : {}),
        ...(origins.length === 0 ? {} : { embed_origins: origins }),
        comments: values.comments,
        preview: values.preview && !values.hasPassword && !values.hasEmails,
      });
      onCreated({ url, isEmbeddable: origins.length > 0 });
    },
  });
  const { hasPassword, hasEmails, isEmbedded } = form.values;
  return (
    <form onSubmit={onSubmit} noValidate className={styles.form}>
      <Stack gap="sm">
        <Group align="flex-start" gap="sm">
          <TextInput
            label="Label"
            placeholder="Board meeting"
            autoComplete="off"
            maxLength={LABEL_CHARACTERS}
            autoFocus
            flex="1 1 12rem"
            {...form.getInputProps("label")}
          />
          <NativeSelect label="Expires" data={EXPIRY_CHOICES} {...form.getInputProps("expiry")} />
        </Group>
        {item.name !== undefined && (
          <NativeSelect
            label="Guests see"
            data={[
              { value: "report", label: "The current version, always" },
              { value: VERSION, label: "Only the version that is current now" },
            ]}
            {...form.getInputProps("opens")}
          />
        )}
        <Checkbox
          label="Let guests comment"
          description="Guests can also read other people's comments. They can use any name."
          {...form.getInputProps("comments", { type: "checkbox" })}
        />
        <Checkbox
          label="Show a preview where the link is posted"
          description={
            hasPassword || hasEmails
              ? "Not for links with a password or addresses: a preview shows the title to anyone."
              : "Chats and wikis show the report's title and publisher."
          }
          disabled={hasPassword || hasEmails}
          {...form.getInputProps("preview", { type: "checkbox" })}
        />
        <Checkbox label="Ask for a password" {...form.getInputProps("hasPassword", { type: "checkbox" })} />
        {hasPassword && (
          <PasswordInput
            label="Password"
            description="At least 10 characters. Send it apart from the link."
            autoComplete="new-password"
            {...form.getInputProps("password")}
          />
        )}
        <Checkbox
          label="Only for certain email addresses"
          description={canMail ? undefined : "This server sends no mail, so it can't check addresses."}
          disabled={!canMail}
          {...form.getInputProps("hasEmails", { type: "checkbox" })}
        />
        {hasEmails && (
          <Textarea
            label="Email addresses"
            description="One per line. Guests confirm theirs with a code that we mail them."
            rows={3}
            spellCheck={false}
            {...form.getInputProps("emails")}
          />
        )}
        <Checkbox label="Allow embedding on other sites" {...form.getInputProps("isEmbedded", { type: "checkbox" })} />
        {isEmbedded && (
          <Textarea
            label="Sites"
            description="One per line, such as https://www.notion.so. The link can't be embedded anywhere else."
            rows={3}
            spellCheck={false}
            {...form.getInputProps("embed_origins")}
          />
        )}
        <Text size="sm" c="dimmed">
          Anyone who has the link and meets these limits can read the report, until you revoke it.
        </Text>
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

/** Returns the origin of a pasted address; what is none goes to the server, which says so. */
function toOrigin(text: string): string {
  const address = text.includes("://") ? text : `https://${text}`;
  return URL.parse(address)?.origin ?? text;
}
