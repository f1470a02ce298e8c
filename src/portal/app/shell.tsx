import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUpload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { itemQuery } from "../api/queries.ts";
import { Sidebar } from "../cabinet/sidebar.tsx";
import { SearchBox } from "../home/toolbar/search-box.tsx";
import { Palette } from "../palette/palette.tsx";
import { DropAnywhere } from "../publish/drop-anywhere.tsx";
import { ConfirmationProvider } from "../shared/confirmation.tsx";
import { ButtonLink } from "../shared/link.tsx";
import { ThumbnailsProvider } from "../shared/thumbnails/thumbnails.tsx";
import { OwnerContext, useAccount, useOwnerOfAddress, useReferenceOfAddress } from "../shared/use-account.ts";
import { AccountMenu } from "./account-menu.tsx";
import { ConnectionNotice } from "./connection-notice.tsx";
import { Logo } from "./logo.tsx";
import { rememberedOwner, rememberOwner } from "./remembered.ts";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

const HEADER_HEIGHT = 56;
const NAVBAR_WIDTH = 280;

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
  const address = useRouterState({ select: ({ location }) => location.href });
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the sidebar on small screens
  useEffect(close, [address]);
  return (
    <OwnerContext value={owner}>
      <ThumbnailsProvider>
        <ConfirmationProvider>
          <Palette owner={owner}>
            <AppShell
              header={{ height: HEADER_HEIGHT }}
              navbar={{ width: NAVBAR_WIDTH, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
              padding="md"
            >
              <AppShell.Header>
                <Group h="100%" px="md" gap="sm" wrap="nowrap">
                  <Burger
                    opened={isOpen}
                    onClick={toggle}
                    hiddenFrom="sm"
                    size="sm"
                    aria-label={isOpen ? "Close cabinet" : "Open cabinet"}
                    aria-expanded={isOpen}
                  />
                  <Logo />
                  <SearchBox owner={owner} />
                  <ButtonLink
                    to="/w/$owner/publish"
                    params={{ owner }}
                    leftSection={<IconUpload size={16} aria-hidden />}
                    visibleFrom="sm"
                    style={{ flex: "none" }}
                  >
                    Publish
                  </ButtonLink>
                  <AccountMenu />
                </Group>
              </AppShell.Header>
              <AppShell.Navbar aria-label="Cabinet">
                <AppShell.Section p="sm" pb={0}>
                  <WorkspaceSwitcher owner={owner} />
                </AppShell.Section>
                <AppShell.Section grow mih={0}>
                  <Sidebar owner={owner} />
                </AppShell.Section>
                <AppShell.Section p="sm" hiddenFrom="sm">
                  <ButtonLink to="/w/$owner/publish" params={{ owner }} fullWidth>
                    Publish
                  </ButtonLink>
                </AppShell.Section>
              </AppShell.Navbar>
              <AppShell.Main>
                <ConnectionNotice />
                <Suspense fallback={null}>
                  <Outlet />
                </Suspense>
              </AppShell.Main>
              <DropAnywhere owner={owner} />
            </AppShell>
          </Palette>
        </ConfirmationProvider>
      </ThumbnailsProvider>
    </OwnerContext>
  );
}

/** Returns the workspace of the address or of the report it names; elsewhere, the one used last. */
function useOwnerHere(): string {
  const { user, workspaces } = useAccount();
  const owner = useOwnerOfAddress();
  const reference = useReferenceOfAddress();
  const { data: item } = useQuery({ ...itemQuery(reference ?? ""), enabled: reference !== undefined });
  const named = owner ?? (reference === undefined ? undefined : item?.owner_slug);
  const isOwn = workspaces.some(({ slug }) => slug === named);
  useEffect(() => {
    if (named !== undefined && isOwn) rememberOwner(named);
  }, [named, isOwn]);
  if (named !== undefined) return named;
  const kept = rememberedOwner();
  return workspaces.find(({ slug }) => slug === kept)?.slug ?? user.slug;
}
