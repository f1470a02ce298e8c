import { Box, Paper, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle, useWindowEvent } from "@mantine/hooks";
import { type FormEvent, type ReactNode, useCallback, useEffect, useRef } from "react";
import { describeBytes } from "../shared/amounts.ts";
import { copyLater } from "../shared/copying.ts";
import touch from "../shared/touch.module.css";
import { useAccount, type Workspace } from "../shared/use-account.ts";
import type { Visibility } from "../shared/visibility.tsx";
import { findProblems } from "./checks.ts";
import type { Details } from "./details.ts";
import { DetailsForm } from "./details-form.tsx";
import { FileList } from "./file-list.tsx";
import { useFolderLabel } from "./folder-field.tsx";
import { PreviewPane } from "./preview/preview-pane.tsx";
import { ProblemList } from "./problem-list.tsx";
import styles from "./publish.module.css";
import { RenamedMentions } from "./renamed-mentions.tsx";
import { SourcePicker } from "./source-picker.tsx";
import { startPages } from "./start-page.ts";
import { SubmitPanel } from "./submit-panel.tsx";
import type { Published } from "./upload.ts";
import { useArranged } from "./use-arranged.ts";
import { useContents, useTitleOf } from "./use-contents.ts";
import type { Draft } from "./use-draft.ts";
import { isRefused, type NameCheck, useNameCheck } from "./use-name-check.ts";
import { usePlaces } from "./use-places.ts";
import type { usePublish } from "./use-publish.ts";
import { useSend } from "./use-send.ts";
import { useSuggestedName } from "./use-suggested-name.ts";

export interface Outcome {
  report: Published;
  /** Whether the link is in the clipboard. */
  isCopied: boolean;
}

interface Props {
  workspace: Workspace;
  draft: Draft;
  sending: ReturnType<typeof usePublish>;
  details: Details;
  onChange(changed: Partial<Details>): void;
  onPublished(outcome: Outcome): void;
}

/** The page's form: the preview with the files, and the details beside it. */
export function PublishForm(props: Props) {
  const { workspace, draft, sending, details } = props;
  const form = usePublishForm(props);
  const { places, focus, problems, arranged, check, name, isBusy } = form;
  const isEmpty = draft.files.length === 0;
  const focusChooser = useCallback(() => focus("chooser"), [focus]);
  return (
    <div className={`${styles.page} ${touch.targets}`} data-filled={!isEmpty || undefined}>
      <Heading workspace={workspace} details={details} check={check} />
      {isEmpty && <SourcePicker draft={draft} workspace={workspace} firstButton={places.chooser} />}
      {!isEmpty && (
        <div className={styles.columns}>
          <div className={styles.report}>
            <PreviewPane
              arranged={arranged}
              title={form.title}
              hasStorage={details.needsStorage}
              onStorage={() => props.onChange({ needsStorage: true })}
            />
            <Fields isBusy={isBusy}>
              <SourcePicker draft={draft} workspace={workspace} firstButton={places.chooser} />
              <FileList draft={draft} names={arranged.names} onEmptied={focusChooser} />
              <StorageUsage workspace={workspace} />
            </Fields>
          </div>
          <Paper
            component="form"
            ref={form.element}
            withBorder
            onSubmit={form.submit}
            aria-label="Report details"
            noValidate
            className={styles.panel ?? ""}
          >
            {/* Scrolls with keys also while everything in it is disabled. */}
            <section className={styles.details} aria-label="What is published" tabIndex={isBusy ? 0 : undefined}>
              <Fields isBusy={isBusy}>
                <div>
                  <ProblemList
                    ref={places.problems}
                    owner={workspace.slug}
                    problems={problems}
                    onTake={(offer) => {
                      offer.apply(draft);
                      focus("problems");
                    }}
                  />
                  <RenamedMentions mentions={arranged.mentions} />
                  <DetailsForm
                    {...{ details, name, check, workspace }}
                    visibility={form.visibility}
                    suggestion={form.suggestion}
                    documentTitle={form.documentTitle}
                    nameRefusal={sending.refusal?.kind === "name" ? sending.refusal.message : undefined}
                    pages={form.pages}
                    start={arranged.start}
                    onStart={draft.start}
                    nameField={places.name}
                    onChange={(changed) => {
                      if (changed.name !== undefined) sending.forget();
                      props.onChange(changed);
                    }}
                  />
                </div>
              </Fields>
            </section>
            <div className={styles.submit}>
              <SubmitPanel ref={places.submit} sending={sending} check={check} obstacle={form.obstacle} />
            </div>
          </Paper>
        </div>
      )}
    </div>
  );
}

function usePublishForm({ workspace, draft, sending, details, onPublished }: Props) {
  const { limits } = useAccount();
  const arranged = useArranged(draft);
  const contents = useContents(arranged.isPending ? [] : arranged.files, limits);
  const documentTitle = useTitleOf(arranged.start);
  const suggested = useSuggestedName(
    { owner: workspace.slug, start: arranged.start, from: draft.from },
    details.name === undefined,
  );
  const name = details.name ?? suggested.suggestion?.name ?? "";
  const isBusy = sending.progress !== undefined;
  // The report that is being published will have the name.
  const check = useNameCheck(name, workspace, !isBusy);
  const visibility: Visibility = details.visibility ?? workspace.default_visibility;
  const folder = useFolderLabel(workspace.slug, details.folder);
  const { focus, ...places } = usePlaces();
  const element = useRef<HTMLFormElement>(null);
  const send = useSend({ owner: workspace.slug, sending, suggested });
  const { refusal } = sending;
  const isEmpty = draft.files.length === 0;
  const problems = findProblems(draft.files, {
    limits,
    workspace,
    arrangement: arranged,
    requestBytes: contents.requestBytes,
  });

  useEffect(() => {
    if (refusal !== undefined) focus(refusal.kind === "name" ? "name" : "submit");
  }, [refusal, focus]);
  useEffect(() => {
    // The control that chose the files is gone.
    if (!isEmpty && document.activeElement === document.body) places.submit.current?.focus({ preventScroll: true });
  }, [isEmpty, places.submit]);
  useWindowEvent("keydown", (event) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) element.current?.requestSubmit();
  });

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    if (problems.length > 0) return focus("problems");
    if (isRefused(check)) return focus("name");
    if (arranged.isPending) return;
    const sent = send({ details, check, visibility, folder, read: () => contents.read(arranged.files) });
    // Browsers only write to the clipboard soon after a click, so the link follows when it is known.
    const copied = copyLater(sent.then((report) => report && (report.nameUrl ?? report.url)));
    const report = await sent;
    if (report !== undefined) onPublished({ report, isCopied: await copied });
  }

  return {
    ...{ arranged, documentTitle, name, check, visibility, focus, places, element, problems, isBusy, submit },
    suggestion: suggested.suggestion,
    title: details.title ?? documentTitle ?? "the report",
    pages: startPages(draft.files),
    obstacle: obstacleOf(problems.length, check),
  };
}

function obstacleOf(problems: number, check: NameCheck): string | undefined {
  if (problems > 0) return problems === 1 ? "Fix the issue above first." : "Fix the issues above first.";
  return isRefused(check) ? "Choose another name first." : undefined;
}

function Heading({ workspace, details, check }: { workspace: Workspace; details: Details; check: NameCheck }) {
  const place = workspace.display_name ?? workspace.slug;
  const known = check.kind === "version" ? check.item.title : details.name;
  const title = details.isVersion ? `New version of ${known}` : "New report";
  useDocumentTitle(`${title} · Vitrine`);
  return (
    <div>
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text size="sm" c="dimmed">
        in {place}
      </Text>
    </div>
  );
}

interface FieldsProps {
  isBusy: boolean;
  children: ReactNode;
}

/** Disabled while sending. */
const Fields = ({ isBusy, children }: FieldsProps) => (
  <Box component="fieldset" disabled={isBusy} bd={0} m={0} miw={0} p={0}>
    <Stack gap="md">{children}</Stack>
  </Box>
);

/** Says how much of the workspace's quota is used. */
const StorageUsage = ({ workspace: { stored_bytes, quota_bytes } }: { workspace: Workspace }) => (
  <Text size="xs" c="dimmed">
    {describeBytes(stored_bytes)} of {describeBytes(quota_bytes)} used
  </Text>
);
