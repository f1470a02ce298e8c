import { Button, Menu, VisuallyHidden } from "@mantine/core";
import { IconArrowsDiff, IconDots, IconEye, IconLink, IconLock, IconPin, IconTrash } from "@tabler/icons-react";
import { lazy, type RefObject, Suspense } from "react";
import { copyText } from "../shared/copying.ts";
import { sayDone } from "../shared/notify.ts";
import { useRemovals } from "../shared/removals.tsx";
import { useReportAddress } from "./address.ts";
import classes from "./report.module.css";
import type { VersionRowProps } from "./types.ts";
import { useDialogs } from "./use-dialogs.ts";

const VisibilityDialog = lazy(() =>
  import("./visibility-dialog.tsx").then(({ VisibilityDialog }) => ({ default: VisibilityDialog })),
);
const PinDialog = lazy(() => import("./pin-dialog.tsx").then(({ PinDialog }) => ({ default: PinDialog })));
const LastVersionDialog = lazy(() =>
  import("./last-version-dialog.tsx").then(({ LastVersionDialog }) => ({ default: LastVersionDialog })),
);

/** What can be done with one version. */
export function VersionMenu({ item, version, hasBefore, isOnly }: VersionRowProps) {
  const { trigger, modal, name, open } = useDialogs<"visibility" | "pin" | "last">();
  const { go } = useReportAddress();
  const isCurrent = version.code === item.code;
  const isGroup = item.kind === "group";
  return (
    <>
      <Menu position="bottom-end" width={300} withinPortal>
        <Menu.Target>
          <Button variant="subtle" color="gray" px="xs" ref={trigger}>
            <IconDots size={18} aria-hidden />
            <VisuallyHidden>Actions for version {version.version_no}</VisuallyHidden>
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.menu}>
          <Menu.Item
            leftSection={<IconEye size={16} />}
            onClick={() => go({ tab: undefined, version: isCurrent ? undefined : version.code })}
          >
            Preview
          </Menu.Item>
          {hasBefore && (
            <Menu.Item
              leftSection={<IconArrowsDiff size={16} />}
              onClick={() => go({ tab: "compare", version: isCurrent ? undefined : version.code, with: undefined })}
            >
              Compare with the one before
            </Menu.Item>
          )}
          {!isCurrent && (
            <Menu.Item
              leftSection={<IconArrowsDiff size={16} />}
              onClick={() => go({ tab: "compare", version: undefined, with: version.code })}
            >
              Compare with the current one
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconLink size={16} />} onClick={() => void copyLink(version.url)}>
            Copy pinned link
          </Menu.Item>
          {isGroup && !isCurrent && (
            <Menu.Item leftSection={<IconPin size={16} />} onClick={() => open("pin")}>
              Pin as latest…
            </Menu.Item>
          )}
          {version.may_control && (
            <Menu.Item leftSection={<IconLock size={16} />} onClick={() => open("visibility")}>
              {visibilityAction(isGroup, version.visibility)}
            </Menu.Item>
          )}
          {version.may_control && (
            <DeleteVersion {...{ item, version, isOnly }} trigger={trigger} onLast={() => open("last")} />
          )}
        </Menu.Dropdown>
      </Menu>
      <Suspense fallback={null}>
        {name === "visibility" && <VisibilityDialog item={item} version={version} modal={modal} />}
        {name === "pin" && <PinDialog item={item} version={version} modal={modal} />}
        {name === "last" && <LastVersionDialog item={item} version={version} modal={modal} />}
      </Suspense>
    </>
  );
}

function visibilityAction(isGroup: boolean, visibility: string): string {
  if (!isGroup) return "Visibility…";
  return visibility === "private" ? "Share this version alone…" : "Withdraw this version…";
}

async function copyLink(url: string): Promise<void> {
  if (await copyText(url)) sayDone("Pinned link copied");
}

interface DeleteVersionProps extends Omit<VersionRowProps, "hasBefore"> {
  trigger: RefObject<HTMLElement | null>;
  onLast(): void;
}

function DeleteVersion({ item, version, isOnly, trigger, onLast }: DeleteVersionProps) {
  const { remove } = useRemovals();
  const run = () => {
    if (isOnly) {
      onLast();
      return;
    }
    const row = trigger.current?.closest("li");
    const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
    remove({ owner: item.owner_slug, references: [version.code], noun: "version" });
    // The menu's own button goes with the row.
    setTimeout(() => neighbour?.querySelector("button")?.focus());
  };
  return (
    <>
      <Menu.Divider />
      <Menu.Item className={classes.danger} leftSection={<IconTrash size={16} />} onClick={run}>
        {isOnly ? "Delete…" : "Delete this version"}
      </Menu.Item>
    </>
  );
}
