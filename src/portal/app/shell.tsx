import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUpload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouter } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { FRAME } from "../../look/tokens.ts";
import { itemQuery } from "../api/first-queries.ts";
import { noteOpening } from "../api/openings.ts";
import { referenceText } from "../api/references.ts";
import { Sidebar } from "../cabinet/sidebar.tsx";
import { SearchBox } from "../home/toolbar/search-box.tsx";
import { InboxLink } from "../inbox/inbox-link.tsx";
import { Palette } from "../palette/palette.tsx";
import { useHasEarlyDrop } from "../publish/drop-box.tsx";
import { ConfirmationProvider } from "../shared/confirmation.tsx";
import { FastLink } from "../shared/fast-link.tsx";
import { lazyPart } from "../shared/lazy-part.ts";
import { loadMenu } from "../shared/menu/lazy-menu.tsx";
import { PartBoundary } from "../shared/part-boundary.tsx";
import { useIsSettled } from "../shared/settled.tsx";
import { ThumbnailsProvider } from "../shared/thumbnails/thumbnails.tsx";
import { OwnerContext, useAccount, useOwnerOfAddress, useReferenceOfAddress } from "../shared/use-account.ts";
import { AccountMenu } from "./account-menu.tsx";
import { ConnectionNotice } from "./connection-notice.tsx";
import { Logo } from "./logo.tsx";
import { rememberedOwner, rememberOwner } from "./remembered.ts";
import classes from "./shell.module.css";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

const Anywhere = lazyPart(async () => (await import("./soon.ts")).Anywhere);

/** The frame around every page. */
export function Shell() {
  return (
    // The page shows an outline until this draws something.
    <Suspense fallback={null}>
      <OpenShell />
    </Suspense>
  );
}

function OpenShell() {
  const owner = useOwnerHere();
  const [isOpen, { toggle, close }] = useDisclosure();
  useLeaving(close);
  return (
    <OwnerContext value={owner}>
      <ThumbnailsProvider>
        <ConfirmationProvider>
          <Palette owner={owner}>
            <AppShell
              header={{ height: FRAME.header }}
              navbar={{ width: FRAME.sidebar, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
              padding="md"
            >
              <AppShell.Header withBorder={false} className={classes.header ?? ""}>
                <Group h="100%" px="md" gap="sm" wrap="nowrap">
                  <Burger
                    opened={isOpen}
                    onClick={toggle}
                    hiddenFrom="sm"
                    size="sm"
                    aria-label={isOpen ? "Close sidebar" : "Open sidebar"}
                    aria-expanded={isOpen}
                  />
                  <Logo />
                  <SearchBox owner={owner} />
                  <FastLink target={{ to: "/w/$owner/publish", owner }} className={classes.publish}>
                    <IconUpload size={16} aria-hidden />
                    Publish
                  </FastLink>
                  <InboxLink />
                  <AccountMenu />
                </Group>
              </AppShell.Header>
              <AppShell.Navbar
                aria-label="Cabinet"
                withBorder={false}
                className={classes.navbar ?? ""}
                mod={{ open: isOpen }}
              >
                <AppShell.Section p="sm" pb={0}>
                  <WorkspaceSwitcher owner={owner} />
                </AppShell.Section>
                <AppShell.Section grow mih={0}>
                  <Sidebar owner={owner} />
                </AppShell.Section>
                <AppShell.Section p="sm" hiddenFrom="sm">
                  <FastLink target={{ to: "/w/$owner/publish", owner }} className={classes.publish}>
                    Publish
                  </FastLink>
                </AppShell.Section>
              </AppShell.Navbar>
              <AppShell.Main>
                <ConnectionNotice />
                <Suspense fallback={null}>
                  <Outlet />
                </Suspense>
              </AppShell.Main>
              <Later owner={owner} />
            </AppShell>
          </Palette>
        </ConfirmationProvider>
      </ThumbnailsProvider>
    </OwnerContext>
  );
}

/** Closes the sidebar of small screens on navigation, which the redirect from the start page isn't. */
function useLeaving(close: () => void): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onBeforeNavigate", ({ fromLocation, hrefChanged }) => {
        if (fromLocation !== undefined && hrefChanged) close();
      }),
    [router, close],
  );
}

/** What isn't needed before the first page is shown. */
function Later({ owner }: { owner: string }) {
  const isSettled = useIsSettled();
  useEffect(() => {
    // Menus then open even if the server can't be reached, as reports do, whose page comes with what works anywhere.
    if (isSettled) void loadMenu().catch(() => undefined);
  }, [isSettled]);
  const isAwaited = useHasEarlyDrop();
  if (!isSettled) return null;
  return (
    <PartBoundary isQuiet={!isAwaited}>
      <Anywhere owner={owner} />
    </PartBoundary>
  );
}

/** Returns the user's workspace that the address names, or that has the report it names; elsewhere, the one used last. */
function useOwnerHere(): string {
  const { user, workspaces } = useAccount();
  const owner = useOwnerOfAddress();
  const reference = useReferenceOfAddress();
  const { data: item } = useQuery({ ...itemQuery(reference ?? ""), enabled: reference !== undefined });
  useEffect(() => {
    if (item !== undefined) {
      noteOpening(user.slug, { owner: item.owner_slug, reference: referenceText(item), at: Date.now() });
    }
  }, [item, user.slug]);
  const named = owner ?? (reference === undefined ? undefined : item?.owner_slug);
  const isOwn = workspaces.some(({ slug }) => slug === named);
  useEffect(() => {
    if (named !== undefined && isOwn) rememberOwner(named);
  }, [named, isOwn]);
  if (named !== undefined && isOwn) return named;
  const kept = rememberedOwner();
  return workspaces.find(({ slug }) => slug === kept)?.slug ?? user.slug;
}
