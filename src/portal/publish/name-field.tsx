import { Button, Group, Text, TextInput } from "@mantine/core";
import { type ReactNode, type RefObject, useLayoutEffect } from "react";
import { createLinks } from "../../client/definitions.ts";
import { ButtonLink } from "../shared/link.tsx";
import type { Workspace } from "../shared/use-account.ts";
import type { Visibility } from "../shared/visibility.tsx";
import { suggestName } from "./suggestions.ts";
import { isRefused, type NameCheck } from "./use-name-check.ts";
import type { Suggestion } from "./use-suggested-name.ts";

interface Props {
  name: string;
  check: NameCheck;
  /** Where the name comes from if the user entered none. */
  suggestion: Suggestion | undefined;
  workspace: Workspace;
  visibility: Visibility;
  contentUrl: string;
  /** The server's error about the name. */
  refusal: string | undefined;
  onChange(name: string): void;
  ref: RefObject<HTMLInputElement | null>;
}

/** Name field that says what publishing under the name will do. */
export function NameField(props: Props) {
  const { name, check, suggestion, workspace, visibility, contentUrl, refusal, onChange, ref } = props;
  const isWrong = refusal !== undefined || isRefused(check);
  const links = createLinks({ baseUrl: location.origin, contentUrl });
  const suggested = suggestion?.name;
  useLayoutEffect(() => {
    // Someone who is already in the field is about to type a name in place of the suggestion.
    if (suggested !== undefined && document.activeElement === ref.current) ref.current?.select();
  }, [suggested, ref]);
  const existing = suggested === name ? suggestion?.existing : undefined;
  return (
    <div>
      <TextInput
        ref={ref}
        label="Name"
        placeholder="weekly-sales"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={name}
        error={isWrong ? (refusal ?? describeRefusal(check)) : undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {/* As high with and without the usual two lines, so that the button to publish stays where it is. */}
      <Text size="sm" c="dimmed" mt={4} component="div" role="status" mih="2.9em">
        {!isWrong && describe(check, name, links.live(name, workspace.slug, visibility))}
      </Text>
      {check.kind === "wrong" && <Correction name={name} onUse={onChange} />}
      {existing?.name !== undefined && workspace.plan !== "free" && (
        <Offer
          text={`You already have “${existing.title}”.`}
          label="Publish as its new version"
          onTake={() => onChange(existing.name ?? "")}
        />
      )}
      {check.kind === "elsewhere" && (
        <ButtonLink
          mt={4}
          size="compact-sm"
          variant="light"
          to="/w/$owner/publish"
          params={{ owner: check.item.owner_slug }}
          search={{ name }}
        >
          Publish to {check.item.owner_slug}
        </ButtonLink>
      )}
    </div>
  );
}

function describe(check: NameCheck, name: string, link: string): ReactNode {
  if (check.kind === "none") return "Without a name, the report gets no live link and no further versions.";
  if (check.kind === "free") return `Live link: ${link}`;
  if (check.kind === "unknown") return "Couldn't check whether this name is already in use.";
  if (check.kind !== "version") return null;
  const { item, versionNo } = check;
  const what = versionNo === undefined ? "a version" : `version ${versionNo}`;
  return item.title === name ? `Adds ${what}.` : `Adds ${what} to “${item.title}”.`;
}

function describeRefusal(check: NameCheck): string {
  if (check.kind === "elsewhere")
    return `This name belongs to a report in ${check.item.owner_slug}. Choose another name, or publish it there.`;
  if (check.kind === "full") {
    return `“${check.item.title}” already uses this name, and the free plan allows one version. Delete it first, or choose another name.`;
  }
  return "Use 1 to 63 lowercase letters, digits and hyphens. The name can't start with a hyphen.";
}

function Correction({ name, onUse }: { name: string; onUse: (name: string) => void }) {
  const suggested = suggestName(name);
  if (suggested === undefined) return null;
  return (
    <Button mt={4} size="compact-sm" variant="light" onClick={() => onUse(suggested)}>
      Use {suggested}
    </Button>
  );
}

const Offer = ({ text, label, onTake }: { text: string; label: string; onTake: () => void }) => (
  <Group gap="xs" mt={4}>
    <Text size="sm">{text}</Text>
    <Button size="compact-sm" variant="light" onClick={onTake}>
      {label}
    </Button>
  </Group>
);
