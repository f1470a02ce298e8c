import { ActionIcon, Menu } from "@mantine/core";
import {
  IconArrowsDiff,
  IconDots,
  IconHistory,
  IconLink,
  IconLock,
  IconShield,
  IconShieldOff,
  IconTrash,
  IconWorld,
} from "@tabler/icons-react";
import { useRef } from "react";
import { copyText } from "../../shared/copying.ts";
import { lazyPart } from "../../shared/lazy-part.ts";
import { notifySuccess } from "../../shared/notify.ts";
import { PartBoundary } from "../../shared/part-boundary.tsx";
import { useReportAddress } from "../address.ts";
import classes from "../report.module.css";
import type { VersionEntryProps } from "../types.ts";
import { useDialogs } from "../use-dialogs.ts";
import { useProtection } from "../use-protection.ts";
import { useRestore } from "./use-restore.ts";
import { useVersionAudience } from "./use-version-audience.ts";

const DeleteVersionDialog = lazyPart(async () => (await import("../parts.ts")).DeleteVersionDialog);

/** Menu with the actions for one version. */
export function VersionMenu({ item, version, before, isOnly }: VersionEntryProps) {
  const { trigger, modal, dismiss, name, open } = useDialogs<"delete">();
  const neighbor = useRef<Element>(null);
  const { go } = useReportAddress();
  const { restore } = useRestore(item);
  const setAudience = useVersionAudience(item);
  const protect = useProtection(item, version);
  const isCurrent = version.code === item.code;
  const isNamed = item.kind === "group";
  return (
    <>
      <Menu position="bottom-end" width={260} withinPortal>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={26}
            ref={trigger}
            aria-label={`Actions for version ${version.version_no}`}
          >
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown className={classes.menu}>
          {isNamed && !isCurrent && (
            <Menu.Item leftSection={<IconHistory size={16} />} onClick={() => restore(version)}>
              Restore
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
          {before !== undefined && before.code !== item.code && (
            <Menu.Item
              leftSection={<IconArrowsDiff size={16} />}
              onClick={() => go({ tab: "compare", version: isCurrent ? undefined : version.code, with: before.code })}
            >
              Compare with previous version
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconLink size={16} />} onClick={() => void copyLink(version.url)}>
            Copy version link
          </Menu.Item>
          {isNamed && version.may_control && version.visibility !== "public" && (
            <Menu.Item leftSection={<IconWorld size={16} />} onClick={() => setAudience(version, "public")}>
              Make this version public
            </Menu.Item>
          )}
          {isNamed && version.may_control && version.visibility !== "private" && (
            <Menu.Item leftSection={<IconLock size={16} />} onClick={() => setAudience(version, "private")}>
              Make this version private
            </Menu.Item>
          )}
          {isNamed && version.may_control && (
            <Menu.Item
              leftSection={version.protected ? <IconShieldOff size={16} /> : <IconShield size={16} />}
              onClick={() => protect(!version.protected)}
            >
              {version.protected ? "Remove protection" : "Protect from deletion"}
            </Menu.Item>
          )}
          {version.may_control && !version.protected && !item.protected && (
            <>
              <Menu.Divider />
              <Menu.Item
                className={classes.danger}
                leftSection={<IconTrash size={16} />}
                onClick={() => {
                  const entry = trigger.current?.closest("li");
                  neighbor.current = entry?.nextElementSibling ?? entry?.previousElementSibling ?? null;
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
        {name === "delete" && (
          <DeleteVersionDialog
            {...{ item, version, isOnly, modal }}
            // Runs after the dialog has released the focus.
            onDeleted={() => setTimeout(() => neighbor.current?.querySelector("a")?.focus())}
          />
        )}
      </PartBoundary>
    </>
  );
}

async function copyLink(url: string): Promise<void> {
  if (await copyText(url)) notifySuccess("Version link copied");
}
