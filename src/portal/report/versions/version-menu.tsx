import { Button, Menu, VisuallyHidden } from "@mantine/core";
import { IconArrowsDiff, IconDots, IconEye, IconHistory, IconLink, IconLock, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, useRef } from "react";
import { reportQuery } from "../../api/queries.ts";
import { copyText } from "../../shared/copying.ts";
import { loadPart } from "../../shared/missing-part.ts";
import { notifySuccess } from "../../shared/notify.ts";
import { PartBoundary } from "../../shared/part-boundary.tsx";
import { useReportAddress } from "../address.ts";
import classes from "../report.module.css";
import type { VersionRowProps } from "../types.ts";
import { useDialogs } from "../use-dialogs.ts";

const VisibilityDialog = lazy(() =>
  loadPart(import("../sharing/visibility-dialog.tsx")).then(({ VisibilityDialog }) => ({ default: VisibilityDialog })),
);
const RollBackDialog = lazy(() =>
  loadPart(import("./roll-back-dialog.tsx")).then(({ RollBackDialog }) => ({ default: RollBackDialog })),
);
const DeleteVersionDialog = lazy(() =>
  loadPart(import("./delete-version-dialog.tsx")).then(({ DeleteVersionDialog }) => ({ default: DeleteVersionDialog })),
);

/** Menu with the actions for one version. */
export function VersionMenu({ item, version, hasBefore, isOnly }: VersionRowProps) {
  const { trigger, modal, dismiss, name, open } = useDialogs<"visibility" | "roll-back" | "delete">();
  const neighbor = useRef<Element>(null);
  const { go } = useReportAddress();
  const isCurrent = version.code === item.code;
  const { data: current } = useQuery(reportQuery(item.code));
  const isEarlier = current === undefined || version.version_no < current.version_no;
  const isNamed = item.kind === "group";
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
              Compare with previous version
            </Menu.Item>
          )}
          {!isCurrent && (
            <Menu.Item
              leftSection={<IconArrowsDiff size={16} />}
              onClick={() => go({ tab: "compare", version: undefined, with: version.code })}
            >
              Compare with current version
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconLink size={16} />} onClick={() => void copyLink(version.url)}>
            Copy version link
          </Menu.Item>
          {isNamed && !isCurrent && (
            <Menu.Item leftSection={<IconHistory size={16} />} onClick={() => open("roll-back")}>
              {isEarlier ? "Roll back to this version…" : "Make current…"}
            </Menu.Item>
          )}
          {version.may_control && (
            <Menu.Item leftSection={<IconLock size={16} />} onClick={() => open("visibility")}>
              {visibilityAction(isNamed, version.visibility)}
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
                  neighbor.current = row?.nextElementSibling ?? row?.previousElementSibling ?? null;
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
        {name === "roll-back" && <RollBackDialog {...{ item, version, isEarlier, modal }} />}
        {name === "delete" && (
          <DeleteVersionDialog
            {...{ item, version, isOnly, modal }}
            onDeleted={() => neighbor.current?.querySelector("button")?.focus()}
          />
        )}
      </PartBoundary>
    </>
  );
}

function visibilityAction(isNamed: boolean, visibility: string): string {
  if (!isNamed) return "Visibility…";
  return visibility === "private" ? "Share this version…" : "Withdraw this version…";
}

async function copyLink(url: string): Promise<void> {
  if (await copyText(url)) notifySuccess("Version link copied");
}
