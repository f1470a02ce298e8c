import { Checkbox, Group, Input, Radio, Stack, Text, TextInput } from "@mantine/core";
import type { Ref } from "react";
import { type Account, useAccount, type Workspace } from "../shared/use-account.ts";
import { describeReaders, type Visibility, VisibilityBadge, visibilityLabel } from "../shared/visibility.tsx";
import { FolderField } from "./folder-field.tsx";
import { NameField } from "./name-field.tsx";
import type { NameCheck } from "./use-name-check.ts";

export interface Details {
  name: string;
  title: string;
  visibility: Visibility;
  needsStorage: boolean;
  /** An id, null for no folder, or undefined for the workspace's default folder. */
  folder: string | null | undefined;
}

interface Props {
  details: Details;
  check: NameCheck;
  workspace: Workspace;
  documentTitle: string | undefined;
  nameRefusal: string | undefined;
  onChange(changed: Partial<Details>): void;
  nameField: Ref<HTMLInputElement>;
}

/** A report's details, besides its files. */
export function DetailsForm({ details, check, workspace, documentTitle, nameRefusal, onChange, nameField }: Props) {
  const { content_url, limits } = useAccount();
  return (
    <Stack gap="md">
      <NameField
        ref={nameField}
        name={details.name}
        check={check}
        workspace={workspace}
        visibility={details.visibility}
        contentUrl={content_url}
        refusal={nameRefusal}
        onChange={(name) => onChange({ name })}
      />
      <TextInput
        label="Title"
        description="Optional. Defaults to the document's title."
        placeholder={documentTitle ?? "Untitled report"}
        maxLength={limits.title_characters}
        value={details.title}
        onChange={({ currentTarget }) => onChange({ title: currentTarget.value })}
      />
      {check.kind === "version" ? (
        <KeptSettings check={check} workspace={workspace} />
      ) : (
        <>
          <FolderField owner={workspace.slug} folder={details.folder} onChange={(folder) => onChange({ folder })} />
          <VisibilityField
            workspace={workspace}
            value={details.visibility}
            onChange={(visibility) => onChange({ visibility })}
          />
        </>
      )}
      <Checkbox
        label="Needs browser storage"
        description="For pages that fail without localStorage. Stored data is lost when the reader leaves the page."
        checked={details.needsStorage}
        onChange={({ currentTarget }) => onChange({ needsStorage: currentTarget.checked })}
      />
    </Stack>
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
