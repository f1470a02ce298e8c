import { Button, Menu, VisuallyHidden } from "@mantine/core";
import { IconArrowsDiff, IconDots, IconEye, IconLink, IconLock, IconPin, IconTrash } from "@tabler/icons-react";
import { lazy, useRef } from "react";
import { copyText } from "../../shared/copying.ts";
import { loadPart } from "../../shared/missing-part.ts";
import { sayDone } from "../../shared/notify.ts";
import { PartBoundary } from "../../shared/part-boundary.tsx";
import { useReportAddress } from "../address.ts";
import classes from "../report.module.css";
import type { VersionRowProps } from "../types.ts";
import { useDialogs } from "../use-dialogs.ts";

const VisibilityDialog = lazy(() =>
  loadPart(import("../sharing/visibility-dialog.tsx")).then(({ VisibilityDialog }) => ({ default: VisibilityDialog })),
);
const PinDialog = lazy(() => loadPart(import("./pin-dialog.tsx")).then(({ PinDialog }) => ({ default: PinDialog })));
const DeleteVersionDialog = lazy(() =>
  loadPart(import("./delete-version-dialog.tsx")).then(({ DeleteVersionDialog }) => ({ default: DeleteVersionDialog })),
);

/** Menu with the actions for one version. */
export function VersionMenu({ item, version, hasBefore, isOnly }: VersionRowProps) {
  const { trigger, modal, dismiss, name, open } = useDialogs<"visibility" | "pin" | "delete">();
  const neighbour = useRef<Element>(null);
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
            <>
              <Menu.Divider />
              <Menu.Item
                className={classes.danger}
                leftSection={<IconTrash size={16} />}
                onClick={() => {
                  const row = trigger.current?.closest("li");
                  neighbour.current = row?.nextElementSibling ?? row?.previousElementSibling ?? null;
                  open("delete");
                }}
              >
                Delete…
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <PartBoundary onDismiss={dismiss}>
        {name === "visibility" && <VisibilityDialog item={item} version={version} modal={modal} />}
        {name === "pin" && <PinDialog item={item} version={version} modal={modal} />}
        {name === "delete" && (
          <DeleteVersionDialog
            {...{ item, version, isOnly, modal }}
            onDeleted={() => neighbour.current?.querySelector("button")?.focus()}
          />
        )}
      </PartBoundary>
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
