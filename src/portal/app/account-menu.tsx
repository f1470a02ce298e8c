import { Hidden } from "../shared/hidden.tsx";
import { Initials } from "../shared/initials.tsx";
import { lazyPart } from "../shared/lazy-part.ts";
import { MenuButton } from "../shared/menu/menu-button.tsx";
import { useAccount } from "../shared/use-account.ts";
import classes from "./shell.module.css";

const AccountItems = lazyPart(async () => (await import("./menus.ts")).AccountItems);

/** Menu with the user's account, appearance and sign-out. */
export function AccountMenu() {
  const { user } = useAccount();
  const name = user.display_name ?? user.slug;
  return (
    <MenuButton
      position="bottom-end"
      width={256}
      className={classes.account}
      face={
        <>
          <Initials name={name} size={30} isAccent />
          <Hidden>Account of {name}</Hidden>
        </>
      }
    >
      <AccountItems />
    </MenuButton>
  );
}
