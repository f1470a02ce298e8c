import { Anchor, Checkbox, Group, Input, NativeSelect, Radio, Stack, Text, TextInput } from "@mantine/core";
import type { RefObject } from "react";
import { type Account, useAccount, type Workspace } from "../shared/use-account.ts";
import { describeReaders, type Visibility, VisibilityBadge, visibilityLabel } from "../shared/visibility.tsx";
import type { Details } from "./details.ts";
import type { DraftFile } from "./draft-files.ts";
import { FolderField } from "./folder-field.tsx";
import { NameField } from "./name-field.tsx";
import styles from "./publish.module.css";
import { TagsField } from "./tags-field.tsx";
import type { NameCheck } from "./use-name-check.ts";
import type { Suggestion } from "./use-suggested-name.ts";

/** Characters of a note; the server's limit. */
const MAX_NOTE = 500;

interface Props {
  details: Details;
  name: string;
  visibility: Visibility;
  check: NameCheck;
  suggestion: Suggestion | undefined;
  workspace: Workspace;
  documentTitle: string | undefined;
  nameRefusal: string | undefined;
  /** The pages that can open first; a choice if there are several. */
  pages: readonly DraftFile[];
  start: DraftFile | undefined;
  onStart(id: string): void;
  onChange(changed: Partial<Details>): void;
  nameField: RefObject<HTMLInputElement | null>;
}

/** A report's details, besides its files. */
export function DetailsForm(props: Props) {
  const { details, check, workspace, onChange } = props;
  const isVersion = check.kind === "version";
  return (
    <Stack gap="md">
      {details.isVersion ? <VersionOf {...props} /> : <NewReport {...props} />}
      <StartField {...props} />
      {isVersion ? (
        <KeptSettings check={check} workspace={workspace} />
      ) : (
        <>
          <VisibilityField
            workspace={workspace}
            value={props.visibility}
            onChange={(visibility) => onChange({ visibility })}
          />
          <div className={styles.pair}>
            <FolderField owner={workspace.slug} folder={details.folder} onChange={(folder) => onChange({ folder })} />
            <TagsField owner={workspace.slug} tagIds={details.tagIds} onChange={(tagIds) => onChange({ tagIds })} />
          </div>
        </>
      )}
      <Checkbox
        label="Allow temporary browser storage"
        description="Turn on if the report looks blank. Data clears when it's closed."
        checked={details.needsStorage}
        onChange={({ currentTarget }) => onChange({ needsStorage: currentTarget.checked })}
      />
    </Stack>
  );
}

function NewReport(props: Props) {
  const { details, name, visibility, check, suggestion, workspace, nameRefusal, onChange, nameField } = props;
  const { content_url } = useAccount();
  return (
    <>
      <TitleField {...props} />
      <NameField
        ref={nameField}
        name={name}
        check={check}
        suggestion={details.name === undefined ? suggestion : undefined}
        workspace={workspace}
        visibility={visibility}
        contentUrl={content_url}
        refusal={nameRefusal}
        onChange={(changed) => onChange({ name: changed })}
      />
      {check.kind === "version" && <NoteField {...props} />}
    </>
  );
}

/** The report that gets the version, and what changed in it. */
function VersionOf(props: Props) {
  const { check, name, nameRefusal, onChange } = props;
  return (
    <>
      <Text size="sm" c={nameRefusal === undefined ? "dimmed" : "red"} role="status">
        {nameRefusal ?? describeTarget(check, name)}{" "}
        <Anchor
          component="button"
          type="button"
          inherit
          onClick={() => onChange({ name: undefined, isVersion: false })}
        >
          Publish as a new report instead
        </Anchor>
      </Text>
      <NoteField {...props} />
      <TitleField {...props} />
    </>
  );
}

function describeTarget(check: NameCheck, name: string): string {
  if (check.kind === "version") {
    const { item, versionNo } = check;
    return `Adds ${versionNo === undefined ? "a version" : `version ${versionNo}`} to “${item.title}”.`;
  }
  if (check.kind === "elsewhere") return `“${name}” belongs to a report in ${check.item.owner_slug}.`;
  if (check.kind === "full") return "The free plan allows one version for each report.";
  return check.kind === "free" ? `There is no report named “${name}”.` : "";
}

const NoteField = ({ details: { note }, onChange }: Props) => (
  <TextInput
    label="What changed?"
    placeholder="Added returns"
    description="Optional. Shown in the list of versions."
    maxLength={MAX_NOTE}
    value={note}
    onChange={({ currentTarget }) => onChange({ note: currentTarget.value })}
  />
);

function TitleField({ details: { title }, documentTitle, onChange }: Props) {
  const { limits } = useAccount();
  return (
    <TextInput
      label="Title"
      placeholder="Untitled report"
      maxLength={limits.title_characters}
      value={title ?? documentTitle ?? ""}
      onChange={({ currentTarget }) => onChange({ title: currentTarget.value })}
    />
  );
}

function StartField({ pages, start, onStart }: Props) {
  if (pages.length < 2) return null;
  return (
    <NativeSelect
      label="Start page"
      description="Opens first, as index.html. Links to it are updated."
      value={start?.id ?? ""}
      data={pages.map(({ id, path }) => ({ value: id, label: path }))}
      onChange={({ currentTarget }) => onStart(currentTarget.value)}
    />
  );
}

/** A new version takes over its report's visibility and folder. */
function KeptSettings({
  check: { item },
  workspace,
}: {
  check: Extract<NameCheck, { kind: "version" }>;
  workspace: Workspace;
}) {
  return (
    <Input.Wrapper label="Visibility and folder" labelElement="div">
      <Group gap="xs" my={4}>
        <VisibilityBadge visibility={item.visibility} />
        <Text size="sm">{item.folder ?? "No folder"}</Text>
      </Group>
      <Text size="sm" c="dimmed">
        A new version keeps these settings. {describeReaders(item.visibility, workspace)}
      </Text>
    </Input.Wrapper>
  );
}

interface VisibilityProps {
  workspace: Workspace;
  value: Visibility;
  onChange(visibility: Visibility): void;
}

function VisibilityField({ workspace, value, onChange }: VisibilityProps) {
  const { workspaces } = useAccount();
  const choices = visibilitiesFor(workspace, workspaces);
  return (
    <Radio.Group
      label="Who can view it"
      value={value}
      onChange={(chosen) => {
        const visibility = choices.find((choice) => choice === chosen);
        if (visibility !== undefined) onChange(visibility);
      }}
    >
      <Stack gap="xs" mt="xs">
        {choices.map((choice) => (
          <Radio
            key={choice}
            value={choice}
            label={visibilityLabel(choice)}
            description={describeReaders(choice, workspace)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** Only members of an organization can share with one. */
function visibilitiesFor({ kind }: Workspace, workspaces: Account["workspaces"]): Visibility[] {
  const isInOne = kind === "org" || workspaces.some((workspace) => workspace.kind === "org");
  return isInOne ? ["private", "org", "public"] : ["private", "public"];
}
