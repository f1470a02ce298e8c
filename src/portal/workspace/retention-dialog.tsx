import { Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type RetentionPreviewView, setRetentionRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { taxonomyQuery } from "../api/queries.ts";
import { describeBytes, describeCount } from "../shared/amounts.ts";
import { FormFailure, SubmitButton, useSending } from "../shared/form.tsx";
import { notifySuccess } from "../shared/notify.ts";
import { placeFolders } from "../shared/pickers/taxonomy.ts";
import { Rows } from "../shared/rows.tsx";
import { Time } from "../shared/time.tsx";
import { useCall } from "../shared/use-call.ts";

interface Values extends Record<string, unknown> {
  place: string;
  keep: string;
  days: string;
}

/** Versions that the preview shows; the rest is counted. */
const SHOWN = 50;

const isCount = (text: string) => /^[1-9]\d{0,4}$/.test(text.trim());
const checkCount = (text: string) => (text.trim() === "" || isCount(text) ? null : "Enter a whole number from 1.");

/** Sets a retention rule, and shows before what it would delete. */
export function RetentionDialog({ owner, onClose }: { owner: string; onClose(): void }) {
  const { data: taxonomy } = useQuery(taxonomyQuery(owner));
  const [preview, setPreview] = useState<RetentionPreviewView>();
  const { mutateAsync } = useCall(setRetentionRoute, { owner, about: ["settings"] });
  const form = useForm<Values>({
    initialValues: { place: "", keep: "20", days: "90" },
    validate: {
      keep: (keep, { days }) =>
        keep.trim() === "" && days.trim() === ""
          ? "Enter how many versions to keep, or for how long."
          : checkCount(keep),
      days: checkCount,
    },
    onValuesChange: () => setPreview(undefined),
  });
  const { isSending, failure, onSubmit } = useSending(form, {
    labels: { keep: "The number of versions", days: "The number of days" },
    async send(values) {
      if (preview === undefined) {
        const { would_delete: found } = await api.call(setRetentionRoute, {
          body: { ...bodyOf(owner, values), dry_run: true },
        });
        setPreview(found ?? undefined);
        return;
      }
      await mutateAsync(bodyOf(owner, values));
      onClose();
      notifySuccess("Retention rule set. It is applied within an hour.");
    },
  });
  const folders = taxonomy === undefined ? [] : placeFolders(taxonomy);
  return (
    <Modal opened onClose={onClose} title="Set a retention rule">
      <form onSubmit={onSubmit}>
        <Stack>
          <NativeSelect
            label="Applies to"
            description="Rules for folders and tags replace the rule for the whole workspace."
            data={[
              { value: "", label: "Whole workspace" },
              ...folders.map(({ id, path, title }) => ({ value: `folder ${id}`, label: `Folder ${path}${title}` })),
              ...(taxonomy?.tags ?? []).map(({ id, title }) => ({ value: `tag ${id}`, label: `Tag ${title}` })),
            ]}
            {...form.getInputProps("place")}
          />
          <TextInput
            label="Keep the newest versions"
            description="For each report. Leave empty to set no number."
            inputMode="numeric"
            data-autofocus
            {...form.getInputProps("keep")}
          />
          <TextInput
            label="Keep versions younger than, in days"
            description="A version is kept if it is among the newest or young enough."
            inputMode="numeric"
            {...form.getInputProps("days")}
          />
          {preview !== undefined && <Preview preview={preview} />}
          <FormFailure>{failure}</FormFailure>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <SubmitButton isSending={isSending}>{preview === undefined ? "Preview" : "Set rule"}</SubmitButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function bodyOf(owner: string, { place, keep, days }: Values) {
  const [kind, id = ""] = place.split(" ");
  return {
    owner,
    ...(kind === "folder" ? { folder_id: id } : {}),
    ...(kind === "tag" ? { tag_id: id } : {}),
    keep: isCount(keep) ? Number(keep) : null,
    days: isCount(days) ? Number(days) : null,
  };
}

function Preview({ preview: { versions, reports, bytes, entries } }: { preview: RetentionPreviewView }) {
  const shown = entries.slice(0, SHOWN);
  if (versions === 0) return <Text role="status">This rule deletes nothing now.</Text>;
  return (
    <Stack gap="xs" role="status">
      <Text>
        This rule moves {describeCount(versions, "version")} of {describeCount(reports, "report")} (
        {describeBytes(bytes)}) to the trash now:
      </Text>
      <Rows label="Versions that the rule deletes">
        {shown.map(({ code, name, version_no: versionNo, created_at: at }) => (
          <Text component="li" size="sm" key={code} style={{ overflowWrap: "anywhere" }}>
            {name} · version {versionNo} · <Time at={at} />
          </Text>
        ))}
      </Rows>
      {versions > shown.length && (
        <Text size="sm" c="dimmed">
          And {describeCount(versions - shown.length, "more version")}
        </Text>
      )}
    </Stack>
  );
}
