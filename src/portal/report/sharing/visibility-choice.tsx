import { Button, Stack, Text } from "@mantine/core";
import { IconLock, IconWorld } from "@tabler/icons-react";
import { useRef } from "react";
import { setVisibilityRoute } from "../../../client/routes.ts";
import { notifySuccess } from "../../shared/notify.ts";
import { useCall } from "../../shared/use-call.ts";
import { describeReaders, type Visibility } from "../../shared/visibility.tsx";
import type { Item } from "../types.ts";
import { useReportWorkspace } from "../use-report-workspace.ts";

type Settable = "public" | "private";

interface VisibilityChoiceProps {
  item: Item;
  visibility: Visibility;
  /** Changes this version instead of the whole report. */
  version?: { code: string; version_no: number };
  onDone?: () => void;
}

/** Shows who can open a report or version, and what each change would mean. */
export function VisibilityChoice({ item, visibility, version, onDone }: VisibilityChoiceProps) {
  const workspace = useReportWorkspace(item);
  const first = useRef<HTMLButtonElement>(null);
  const { mutate, isPending } = useCall(setVisibilityRoute, {
    owner: item.owner_slug,
    about: ["items"],
    failure: "Couldn't change the visibility",
  });
  const set = (wanted: Settable) => {
    if (isPending) return;
    mutate(
      { visibility: wanted, ...subjectOf(item, version) },
      {
        onSuccess: () => {
          notifySuccess(wanted === "public" ? "Visibility changed to public" : "Visibility changed to private");
          // The other button is gone.
          first.current?.focus();
          onDone?.();
        },
      },
    );
  };
  const others = (["public", "private"] as const).filter((each) => each !== visibility);
  return (
    <Stack gap="sm">
      <Text size="sm">{describeReaders(visibility, workspace)}</Text>
      {others.map((wanted, index) => (
        <div key={index === 0 ? "first" : wanted}>
          <Button
            variant="default"
            fullWidth
            ref={index === 0 ? first : undefined}
            aria-disabled={isPending}
            leftSection={wanted === "public" ? <IconWorld size={16} aria-hidden /> : <IconLock size={16} aria-hidden />}
            onClick={() => set(wanted)}
          >
            Make {version ? `version ${version.version_no} ` : ""}
            {wanted}
          </Button>
          <Text size="xs" c="dimmed" mt={4}>
            {describeChange(wanted, item, version)} {describeReaders(wanted, workspace)}
          </Text>
        </div>
      ))}
    </Stack>
  );
}

function subjectOf(item: Item, version: VisibilityChoiceProps["version"]) {
  if (version !== undefined) return { code: version.code };
  return item.name === undefined ? { code: item.code } : { name: item.name };
}

function describeChange(wanted: Settable, { kind }: Item, version: VisibilityChoiceProps["version"]): string {
  if (version !== undefined && kind === "group") {
    return wanted === "public" ? "Shares only this version, through its version link." : "Hides only this version.";
  }
  const what = kind === "group" ? "The report and all its versions" : "The report";
  return wanted === "public"
    ? `${what} can be viewed without signing in.`
    : `${what} will no longer open for anyone else, even with a link.`;
}
