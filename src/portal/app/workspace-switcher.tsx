import { IconSelector } from "@tabler/icons-react";
import { Hidden } from "../shared/hidden.tsx";
import { Initials } from "../shared/initials.tsx";
import { lazyPart } from "../shared/lazy-part.ts";
import { MenuButton } from "../shared/menu/menu-button.tsx";
import { nameOf, useAccount } from "../shared/use-account.ts";
import classes from "./shell.module.css";

const WorkspaceItems = lazyPart(async () => (await import("./menus.ts")).WorkspaceItems);

/** Shows the workspace and switches to others. */
export function WorkspaceSwitcher({ owner }: { owner: string }) {
  const { workspaces } = useAccount();
  const current = workspaces.find(({ slug }) => slug === owner);
  const name = current ? nameOf(current) : owner;
  return (
    <MenuButton
      position="bottom-start"
      width={248}
      className={classes.workspace}
      face={
        <>
          <Initials name={name} size={28} shape="square" />
          <span className={classes.workspaceText}>
            <span className={classes.workspaceName}>{name}</span>
            <span className={classes.workspaceKind}>{current?.kind === "org" ? "Organization" : "Personal"}</span>
          </span>
          <IconSelector size={16} aria-hidden />
          <Hidden>Switch workspace</Hidden>
        </>
      }
    >
      <WorkspaceItems owner={owner} />
    </MenuButton>
  );
}
