import { ActionIcon, Menu } from "@mantine/core";
import {
  IconArrowsDiff,
  IconCursorText,
  IconDots,
  IconExternalLink,
  IconFiles,
  IconFolder,
  IconLink,
  IconPencil,
  IconRefresh,
  IconShield,
  IconShieldOff,
  IconStar,
  IconStarOff,
  IconTag,
  IconTrash,
  IconUpload,
} from "@tabler/icons-react";
import { referenceText } from "../../api/references.ts";
import { shortcutLabel, useShortcuts } from "../../cabinet/use-shortcuts.ts";
import { useCopying } from "../../shared/copying.ts";
import { lazyPart } from "../../shared/lazy-part.ts";
import { MenuLink } from "../../shared/link.tsx";
import { PartBoundary } from "../../shared/part-boundary.tsx";
import { useReportAddress } from "../address.ts";
import { FilingDialog, type FilingName } from "../filing/filing-dialog.tsx";
import classes from "../report.module.css";
import type { Item } from "../types.ts";
import { useDialogs } from "../use-dialogs.ts";
import { useLeavingRemoval } from "../use-leaving-removal.ts";
import { useProtection } from "../use-protection.ts";
import type { Stage } from "../use-stage.ts";
import { useCompact } from "../use-width.ts";
import { useShownLink } from "./use-shown-link.ts";

const RenameDialog = lazyPart(async () => (await import("../parts.ts")).RenameDialog);

interface ReportMenuProps {
  item: Item;
  stage: Stage;
  onEditTitle(): void;
}

/** Menu with the less common actions; in narrow windows, with all that the bar has no room for. */
export function ReportMenu({ item, stage, onEditTitle }: ReportMenuProps) {
  const { trigger, modal, dismiss, name, open } = useDialogs<"rename" | FilingName>();
  const isCompact = useCompact();
  return (
    <>
      <Menu position="bottom-end" width={240} withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" ref={trigger} aria-label="More actions">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown className={classes.menu}>
          {isCompact && <BarItems item={item} />}
          <OpenItem item={item} />
          <Menu.Item leftSection={<IconCursorText size={16} />} onClick={() => setTimeout(onEditTitle)}>
            Edit title
          </Menu.Item>
          {item.name !== undefined && (
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => open("rename")}>
              Rename…
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconFolder size={16} />} onClick={() => open("folder")}>
            Move to folder…
          </Menu.Item>
          <Menu.Item leftSection={<IconTag size={16} />} onClick={() => open("tags")}>
            Tags…
          </Menu.Item>
          {item.name !== undefined && (
            <MenuLink
              to="/w/$owner/publish"
              params={{ owner: item.owner_slug }}
              search={{ name: item.name }}
              leftSection={<IconUpload size={16} />}
            >
              Publish new version
            </MenuLink>
          )}
          <StarItem item={item} />
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={stage.reload}>
            Reload preview
          </Menu.Item>
          {item.may_control && <ProtectItem item={item} />}
          {item.may_control && !item.protected && <DeleteItem item={item} />}
        </Menu.Dropdown>
      </Menu>
      <PartBoundary onDismiss={dismiss}>
        {name === "rename" && <RenameDialog item={item} modal={modal} />}
        <FilingDialog name={name} item={item} onClose={dismiss} />
      </PartBoundary>
    </>
  );
}

function BarItems({ item }: { item: Item }) {
  const { go } = useReportAddress();
  const { url, kind } = useShownLink(item);
  const { copy } = useCopying(url);
  return (
    <>
      <Menu.Item leftSection={<IconArrowsDiff size={16} />} onClick={() => go({ tab: "compare" })}>
        Compare versions
      </Menu.Item>
      <Menu.Item leftSection={<IconFiles size={16} />} onClick={() => go({ tab: "files" })}>
        Files
      </Menu.Item>
      <Menu.Item leftSection={<IconLink size={16} />} onClick={copy}>
        Copy {kind} link
      </Menu.Item>
    </>
  );
}

function OpenItem({ item }: { item: Item }) {
  const { url, kind } = useShownLink(item);
  return (
    <Menu.Item component="a" href={url} target="_blank" rel="noopener" leftSection={<IconExternalLink size={16} />}>
      Open {kind} link in new tab
    </Menu.Item>
  );
}

function StarItem({ item }: { item: Item }) {
  const { isShortcut, add, remove } = useShortcuts(item.owner_slug);
  const of = [item.kind, referenceText(item), item.title] as const;
  const isStarred = isShortcut(item.kind, referenceText(item));
  return (
    <Menu.Item
      leftSection={isStarred ? <IconStarOff size={16} /> : <IconStar size={16} />}
      onClick={() => (isStarred ? remove(...of) : add(...of))}
    >
      {shortcutLabel(item.kind, isStarred)}
    </Menu.Item>
  );
}

function ProtectItem({ item }: { item: Item }) {
  const protect = useProtection(item);
  return (
    <Menu.Item
      leftSection={item.protected ? <IconShieldOff size={16} /> : <IconShield size={16} />}
      onClick={() => protect(!item.protected)}
    >
      {item.protected ? "Remove protection" : "Protect from deletion"}
    </Menu.Item>
  );
}

function DeleteItem({ item }: { item: Item }) {
  const remove = useLeavingRemoval(item);
  return (
    <>
      <Menu.Divider />
      <Menu.Item className={classes.danger} leftSection={<IconTrash size={16} />} onClick={remove}>
        {item.kind === "group" ? "Delete report and all versions" : "Delete report"}
      </Menu.Item>
    </>
  );
}
