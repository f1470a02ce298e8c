import { Button, Group, Modal, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type BodyInput, shareItemsRoute } from "../../../client/routes.ts";
import { refreshAbout } from "../../api/changes.ts";
import { api } from "../../api/client.ts";
import { type ItemReference, referenceOf } from "../../api/references.ts";
import { describeCount } from "../../shared/amounts.ts";
import { messageOf } from "../../shared/errors.ts";
import { notifySuccess } from "../../shared/notify.ts";
import { useAccount } from "../../shared/use-account.ts";
import { splitEmails } from "../../sharing/emails.ts";
import { type Audience, audiencesFor } from "../../sharing/use-audience.ts";
import { type Item, keyOf } from "../slots.ts";

interface ShareItemsDialogProps {
  owner: string;
  items: readonly Item[];
  onClose(): void;
}

/** Chooses who can view several reports, all at once. */
export function ShareItemsDialog({ owner, items, onClose }: ShareItemsDialogProps) {
  const { workspaces } = useAccount();
  const isAnyShared = items.some(({ visibility }) => visibility === "org");
  const audiences = audiencesFor({ owner_slug: owner, visibility: isAnyShared ? "org" : "private" }, workspaces);
  const [chosen, setChosen] = useState<Audience>();
  const [people, setPeople] = useState("");
  const { mutate, isPending, error, reset } = useShareItems(owner);
  const add = splitEmails(people);
  const isReady = chosen !== undefined || add.length > 0;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isReady || isPending) return;
    const change = { ...audienceFields(chosen), ...(add.length > 0 && { add }) };
    mutate(
      items.map((item) => ({ ...referenceOf(keyOf(item)), ...change })),
      { onSuccess: onClose },
    );
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={`Share ${describeCount(items.length, "report")}`}
      closeButtonProps={{ "aria-label": "Close" }}
      size="sm"
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Radio.Group
            label="Who can view them"
            description="Applies to all their versions."
            value={chosen?.label ?? null}
            onChange={(label) => setChosen(audiences.find((audience) => audience.label === label))}
          >
            <Stack mt="sm" gap="sm">
              {audiences.map(({ label, about }, index) => (
                <Radio
                  key={label}
                  value={label}
                  data-autofocus={index === 0 || undefined}
                  label={label}
                  description={about}
                />
              ))}
            </Stack>
          </Radio.Group>
          <TextInput
            label="Add people by email"
            description="They can view the reports, but not change them."
            type="text"
            inputMode="email"
            autoComplete="off"
            value={people}
            onChange={({ currentTarget }) => {
              setPeople(currentTarget.value);
              if (error !== null) reset();
            }}
          />
          {error !== null && (
            <Text size="sm" c="red" role="alert">
              {messageOf(error)}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending} disabled={!isReady}>
              Share
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

type Changes = BodyInput<typeof shareItemsRoute>["items"];

function audienceFields(audience: Audience | undefined): Omit<Changes[number], keyof ItemReference> {
  if (audience === undefined) return {};
  return { visibility: audience.visibility, ...(audience.org === null ? {} : { org: audience.org }) };
}

/** Returns the mutation that shares reports and offers to undo all of it. */
function useShareItems(owner: string) {
  const queries = useQueryClient();
  const share = async (items: Changes) => {
    const answer = await api.call(shareItemsRoute, { body: { items } });
    await refreshAbout(queries, owner, ["items"]).catch(() => undefined);
    return answer;
  };
  return useMutation({
    mutationFn: share,
    onSuccess: ({ updated, undo }) =>
      notifySuccess(`Shared ${describeCount(updated, "report")}`, undo === null ? undefined : () => share(undo.items)),
  });
}
