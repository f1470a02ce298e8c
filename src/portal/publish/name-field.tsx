import { Button, Text, TextInput } from "@mantine/core";
import type { ReactNode, Ref } from "react";
import { createLinks } from "../../client/definitions.ts";
import { ButtonLink } from "../shared/link.tsx";
import type { Workspace } from "../shared/use-account.ts";
import type { Visibility } from "../shared/visibility.tsx";
import { isRefused, type NameCheck, suggestName } from "./use-name-check.ts";

interface Props {
  name: string;
  check: NameCheck;
  workspace: Workspace;
  visibility: Visibility;
  contentUrl: string;
  /** What the server said about it. */
  refusal: string | undefined;
  onChange(name: string): void;
  ref: Ref<HTMLInputElement>;
}

/** The group's name, with what publishing under it would do. */
export function NameField({ name, check, workspace, visibility, contentUrl, refusal, onChange, ref }: Props) {
  const isWrong = refusal !== undefined || isRefused(check);
  const links = createLinks({ baseUrl: location.origin, contentUrl });
  return (
    <div>
      <TextInput
        ref={ref}
        label="Name"
        description="Optional. Its link always shows the latest version; publish under it again to add one. Lower-case letters, digits and hyphens."
        placeholder="weekly-sales"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={name}
        error={isWrong ? (refusal ?? describeRefusal(check, workspace)) : undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Text size="sm" c="dimmed" mt={4} component="div" role="status">
        {!isWrong && describe(check, name, links.live(name, workspace.slug, visibility))}
      </Text>
      {check.kind === "wrong" && <Suggestion name={name} onUse={onChange} />}
      {check.kind === "elsewhere" && (
        <ButtonLink
          mt={4}
          size="compact-sm"
          variant="light"
          to="/w/$owner/publish"
          params={{ owner: check.item.owner_slug }}
          search={{ name }}
        >
          Publish in {check.item.owner_slug}
        </ButtonLink>
      )}
    </div>
  );
}

function describe(check: NameCheck, name: string, link: string): ReactNode {
  if (check.kind === "free") return `A live link will be made: ${link}`;
  if (check.kind === "unknown") return "Whether you have it already could not be found out.";
  if (check.kind !== "version") return null;
  const { item, versionNo } = check;
  const what = versionNo === undefined ? "a version" : `version ${versionNo}`;
  return item.title === name ? `Adds ${what} to it.` : `Adds ${what} to “${item.title}”.`;
}

function describeRefusal(check: NameCheck, { slug }: Workspace): string {
  if (check.kind === "elsewhere") return `It is the name of a report of ${check.item.owner_slug}, not of ${slug}.`;
  if (check.kind === "full") {
    return `“${check.item.title}” has that name. On the free plan a name has one version: delete it first, or take another name.`;
  }
  return "A name has 1 to 63 lower-case letters, digits and hyphens, and does not begin with a hyphen.";
}

function Suggestion({ name, onUse }: { name: string; onUse: (name: string) => void }) {
  const suggested = suggestName(name);
  if (suggested === undefined) return null;
  return (
    <Button mt={4} size="compact-sm" variant="light" onClick={() => onUse(suggested)}>
      Use {suggested}
    </Button>
  );
}
