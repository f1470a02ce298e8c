import { Box, Grid, Paper, Stack, Text, Title } from "@mantine/core";
import { type FormEvent, type ReactNode, useCallback, useEffect, useState } from "react";
import { describeBytes } from "../shared/amounts.ts";
import touch from "../shared/touch.module.css";
import { useAccount, type Workspace } from "../shared/use-account.ts";
import { findProblems } from "./checks.ts";
import { type Details, DetailsForm } from "./details-form.tsx";
import { INDEX } from "./draft-files.ts";
import { FileList } from "./file-list.tsx";
import { useFolderLabel } from "./folder-field.tsx";
import { ProblemList } from "./problem-list.tsx";
import { SourcePicker } from "./source-picker.tsx";
import { SubmitPanel } from "./submit-panel.tsx";
import type { Published, UploadDetails } from "./upload.ts";
import { useContents, useDocumentTitle } from "./use-contents.ts";
import type { Draft } from "./use-draft.ts";
import { isRefused, type NameCheck, useNameCheck } from "./use-name-check.ts";
import { usePlaces } from "./use-places.ts";
import type { usePublish } from "./use-publish.ts";

interface Props {
  workspace: Workspace;
  draft: Draft;
  sending: ReturnType<typeof usePublish>;
  details: Details;
  onChange(changed: Partial<Details>): void;
  onPublished(report: Published): void;
}

/** The form with files and details. */
export function PublishForm({ workspace, draft, sending, details, onChange, onPublished }: Props) {
  const { limits } = useAccount();
  const contents = useContents(draft.files, limits);
  const documentTitle = useDocumentTitle(draft.files.find(({ path }) => path === INDEX));
  const check = useNameCheck(details.name, workspace);
  const folder = useFolderLabel(workspace.slug, details.folder);
  const [isTried, setTried] = useState(false);
  const { focus, ...places } = usePlaces();
  const focusChooser = useCallback(() => focus("chooser"), [focus]);
  const { progress, refusal } = sending;
  const isBusy = progress !== undefined;
  const problems = findProblems(draft.files, { limits, workspace, requestBytes: contents.requestBytes });
  const shown = problems.filter(({ kind }) => kind !== "empty" || isTried);

  useEffect(() => {
    if (refusal !== undefined) focus(refusal.kind === "name" ? "name" : "submit");
  }, [refusal, focus]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (problems.length > 0) return focus("problems");
    if (isRefused(check)) return focus("name");
    const report = await sending.publish(toUpload(details, check, folder), () => contents.read(draft.files));
    if (report !== undefined) onPublished(report);
  }

  return (
    <Stack gap="md" maw={1120} mx="auto" className={touch.targets}>
      <Title order={1} size="h2">
        Publish to {workspace.display_name ?? workspace.slug}
      </Title>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Fields isBusy={isBusy}>
            <SourcePicker draft={draft} workspace={workspace} limits={limits} firstButton={places.chooser} />
            <div>
              <ProblemList
                ref={places.problems}
                problems={shown}
                onTake={(offer) => {
                  draft.change(offer.apply);
                  focus("problems");
                }}
              />
              <FileList draft={draft} onEmptied={focusChooser} />
            </div>
          </Fields>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Paper
            component="form"
            withBorder
            radius="md"
            p="md"
            onSubmit={submit}
            aria-label="Report details"
            noValidate
          >
            <Fields isBusy={isBusy}>
              <DetailsForm
                details={details}
                check={check}
                workspace={workspace}
                documentTitle={documentTitle}
                nameRefusal={refusal?.kind === "name" ? refusal.message : undefined}
                nameField={places.name}
                onChange={(changed) => {
                  if (changed.name !== undefined) sending.forget();
                  onChange(changed);
                }}
              />
            </Fields>
            <SubmitPanel ref={places.submit} sending={sending} check={check} />
            <StorageUsage workspace={workspace} />
          </Paper>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

/** Disabled while sending. */
const Fields = ({ isBusy, children }: { isBusy: boolean; children: ReactNode }) => (
  <Box component="fieldset" disabled={isBusy} bd={0} p={0} m={0} miw={0}>
    <Stack gap="md">{children}</Stack>
  </Box>
);

/** Returns how much of the workspace's quota is used. */
const StorageUsage = ({ workspace: { stored_bytes, quota_bytes } }: { workspace: Workspace }) => (
  <Text size="sm" c="dimmed" mt="sm">
    {describeBytes(stored_bytes)} of {describeBytes(quota_bytes)} used
  </Text>
);

/** Returns the request's fields besides the files. A new version keeps its report's folder and visibility. */
function toUpload(
  { name, title, visibility, needsStorage }: Details,
  { kind }: NameCheck,
  folder: string | undefined,
): UploadDetails {
  const first = { visibility, ...(folder === undefined ? {} : { folder }) };
  return {
    ...(name === "" ? {} : { name }),
    ...(title.trim() === "" ? {} : { title: title.trim() }),
    ...(needsStorage ? { storage: "memory" } : {}),
    ...(kind === "version" ? {} : first),
  };
}
