import { ActionIcon, Badge, Button, Checkbox, Group, NativeSelect, Text, TextInput, Tooltip } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconLinkOff, IconPencil } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { type GuestLinkEntry, updateGuestLinkRoute } from "../../client/routes.ts";
import { useNow } from "../shared/clock.tsx";
import { FormFailure, SubmitButton, useSending } from "../shared/form.tsx";
import { Time } from "../shared/time.tsx";
import { EXPIRY_CHOICES, expiryOf, LABEL_CHARACTERS } from "./guest-limits.ts";
import { useGuestCall } from "./guest-queries.ts";
import styles from "./sharing.module.css";

interface Props {
  link: GuestLinkEntry;
  reference: string;
  onRevoke(): void;
}

/** A guest link: what it is for, its limits, and how often it was opened. */
export function GuestLinkRow({ link, reference, onRevoke }: Props) {
  const [isEditing, setEditing] = useState(false);
  const name = nameOf(link);
  if (isEditing) {
    return (
      <li className={styles.guest}>
        <EditForm link={link} reference={reference} onDone={() => setEditing(false)} />
      </li>
    );
  }
  return (
    <li className={styles.guest}>
      <Group wrap="nowrap" gap="xs">
        <div className={styles.about}>
          <Text size="sm" fw={500} truncate c="var(--ink)">
            <bdi>{name}</bdi>
          </Text>
          <Facts link={link} />
        </div>
        <RowAction label={`Edit ${name}`} onClick={() => setEditing(true)}>
          <IconPencil size={16} />
        </RowAction>
        <RowAction label={`Revoke ${name}`} onClick={onRevoke}>
          <IconLinkOff size={16} />
        </RowAction>
      </Group>
    </li>
  );
}

const nameOf = ({ label, created_by: creator }: GuestLinkEntry) =>
  label ?? (creator === null ? "Guest link" : `Link by ${creator.display_name ?? creator.slug}`);

const RowAction = ({ label, onClick, children }: { label: string; onClick(): void; children: ReactNode }) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tooltip>
);

function Facts({ link }: { link: GuestLinkEntry }) {
  const { code, comments, preview, expires_at, has_password, emails, embed_origins, uses, last_used_at } = link;
  const isExpired = useNow() >= Date.parse(expires_at ?? "9999-12-31");
  const limits = [
    ...(code === null ? [] : ["one version"]),
    ...(comments ? ["comments"] : []),
    ...(preview ? ["preview"] : []),
    ...(has_password ? ["password"] : []),
    ...(emails.length === 0 ? [] : [emails.length === 1 ? (emails[0] ?? "") : `${emails.length} addresses`]),
    ...embed_origins.map((origin) => `embedded at ${new URL(origin).host}`),
  ];
  return (
    <Text size="sm" c="dimmed" component="div" className={styles.facts}>
      {isExpired && (
        <Badge color="red" variant="light">
          Expired
        </Badge>
      )}
      <span>
        {uses === 0 || last_used_at === null ? (
          "Never opened"
        ) : (
          <>
            Opened {uses === 1 ? "once" : `${uses} times`}, last <Time at={last_used_at} />
          </>
        )}
        {expires_at !== null && !isExpired && ` · until ${describeDate(expires_at)}`}
        {limits.map((limit) => ` · ${limit}`)}
      </span>
    </Text>
  );
}

const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const describeDate = (at: string) => date.format(Date.parse(at));

const KEEP = "keep";

function EditForm({ link, reference, onDone }: { link: GuestLinkEntry; reference: string; onDone(): void }) {
  const call = useGuestCall(updateGuestLinkRoute, reference);
  const form = useForm({
    name: "guest-link",
    initialValues: { label: link.label ?? "", expiry: KEEP, comments: link.comments, preview: link.preview },
  });
  const { isSending, failure, onSubmit } = useSending(form, {
    labels: { label: "Label" },
    async send({ label, expiry, comments, preview }) {
      await call.mutateAsync({
        id: link.id,
        label: label.trim() === "" ? null : label.trim(),
        comments,
        preview,
        ...(expiry === KEEP ? {} : { expires_at: expiryOf(expiry) ?? null }),
      });
      onDone();
    },
  });
  const kept = link.expires_at === null ? "Never, as now" : `${describeDate(link.expires_at)}, as now`;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Label"
          autoComplete="off"
          maxLength={LABEL_CHARACTERS}
          autoFocus
          flex="1 1 10rem"
          {...form.getInputProps("label")}
        />
        <NativeSelect
          label="Expires"
          data={[{ value: KEEP, label: kept }, ...EXPIRY_CHOICES]}
          {...form.getInputProps("expiry")}
        />
        <Checkbox label="Let guests comment" py="xs" {...form.getInputProps("comments", { type: "checkbox" })} />
        {!link.has_password && link.emails.length === 0 && (
          <Checkbox label="Show a preview" py="xs" {...form.getInputProps("preview", { type: "checkbox" })} />
        )}
        <Group gap="xs">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <SubmitButton isSending={isSending}>Save</SubmitButton>
        </Group>
      </Group>
      <FormFailure>{failure}</FormFailure>
    </form>
  );
}
