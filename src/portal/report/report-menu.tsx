import { Button, Menu, VisuallyHidden } from "@mantine/core";
import {
  IconDots,
  IconEye,
  IconFolder,
  IconPencil,
  IconStar,
  IconStarOff,
  IconTag,
  IconTrash,
  IconUpload,
} from "@tabler/icons-react";
import { lazy, useEffect } from "react";
import { referenceText } from "../api/references.ts";
import { useShortcuts } from "../cabinet/use-shortcuts.ts";
import { MenuLink } from "../shared/link.tsx";
import { loadPart } from "../shared/missing-part.ts";
import { PartBoundary } from "../shared/part-boundary.tsx";
import { useReportAddress } from "./address.ts";
import { FilingDialog, type FilingName } from "./filing.tsx";
import classes from "./report.module.css";
import type { Item } from "./types.ts";
import { useDialogs } from "./use-dialogs.ts";
import { useLeavingRemoval } from "./use-leaving-removal.ts";

const RenameDialog = lazy(() =>
  loadPart(import("./rename-dialog.tsx")).then(({ RenameDialog }) => ({ default: RenameDialog })),
);
const VisibilityDialog = lazy(() =>
  loadPart(import("./sharing/visibility-dialog.tsx")).then(({ VisibilityDialog }) => ({ default: VisibilityDialog })),
);

/** Menu with the less common actions. */
export function ReportMenu({ item }: { item: Item }) {
  const { trigger, modal, dismiss, name, open } = useDialogs<"rename" | "visibility" | FilingName>();
  const { search, go } = useReportAddress();
  const isSharing = search.share === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens once for each time the address asks for it
  useEffect(() => {
    if (!isSharing) return;
    if (item.may_control) open("visibility");
    go({ share: undefined });
  }, [isSharing]);
  return (
    <>
      <Menu position="bottom-end" width={240} withinPortal>
        <Menu.Target>
          <Button variant="default" px="xs" ref={trigger}>
            <IconDots size={18} aria-hidden />
            <VisuallyHidden>More actions</VisuallyHidden>
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.menu}>
          {item.name !== undefined && (
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => open("rename")}>
              Rename…
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconFolder size={16} />} onClick={() => open("folder")}>
            File in folder…
          </Menu.Item>
          <Menu.Item leftSection={<IconTag size={16} />} onClick={() => open("tags")}>
            Tags…
          </Menu.Item>
          {item.may_control && (
            <Menu.Item leftSection={<IconEye size={16} />} onClick={() => open("visibility")}>
              Visibility…
            </Menu.Item>
          )}
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
          <ShortcutItem item={item} />
          {item.may_control && <DeleteItem item={item} />}
        </Menu.Dropdown>
      </Menu>
      <PartBoundary onDismiss={dismiss}>
        {name === "rename" && <RenameDialog item={item} modal={modal} />}
        <FilingDialog name={name} item={item} onClose={dismiss} />
        {name === "visibility" && <VisibilityDialog item={item} modal={modal} />}
      </PartBoundary>
    </>
  );
}

function ShortcutItem({ item }: { item: Item }) {
  const { isShortcut, add, remove } = useShortcuts(item.owner_slug);
  const of = [item.kind, referenceText(item)] as const;
  return isShortcut(...of) ? (
    <Menu.Item leftSection={<IconStarOff size={16} />} onClick={() => remove(...of)}>
      Remove from shortcuts
    </Menu.Item>
  ) : (
    <Menu.Item leftSection={<IconStar size={16} />} onClick={() => add(...of)}>
      Add to shortcuts
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
