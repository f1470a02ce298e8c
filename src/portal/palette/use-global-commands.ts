import { useMantineColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { HomeSearch } from "../api/filter.ts";
import { taxonomyQuery } from "../api/first-queries.ts";
import type { Command } from "../shared/commands.tsx";
import { useSession } from "../shared/session.tsx";
import { useAccount } from "../shared/use-account.ts";
import { useOpenShortcuts } from "./palette.tsx";

/** Returns the commands available on every page. */
export function useGlobalCommands(owner: string): readonly Command[] {
  return [...usePlaces(owner), ...usePages(owner), ...useWorkspaces(owner), ...useThemeCommands()];
}

function usePages(owner: string): Command[] {
  const navigate = useNavigate();
  const isOrganization = useAccount().workspaces.some(({ slug, kind }) => slug === owner && kind === "org");
  const page = (id: string, label: string, keywords: string, run: () => unknown, hint?: string): Command => ({
    ...{ id, label, keywords, group: "Go to" },
    ...(hint === undefined ? {} : { hint }),
    run: () => void run(),
  });
  const params = { owner };
  return [
    page(
      "publish",
      "New report",
      "publish upload drop paste html",
      () => navigate({ to: "/w/$owner/publish", params }),
      "c",
    ),
    page("tokens", "Access tokens", "api secret key", () => navigate({ to: "/account/tokens" })),
    page("connect", "Connect your agent or CI", "snippets curl github gitlab python", () =>
      navigate({ to: "/connect" }),
    ),
    page("api-docs", "API reference", "openapi documentation endpoints", () => location.assign("/-/docs")),
    page("account", "Account", "profile password sessions", () => navigate({ to: "/account" })),
    page("organizations", "Organizations", "team new", () => navigate({ to: "/account/organizations" })),
    page("settings", "Workspace settings", "plan quota default folder name", () =>
      navigate({ to: "/w/$owner/settings", params }),
    ),
    ...(isOrganization
      ? [page("members", "Members", "people invite roles", () => navigate({ to: "/w/$owner/members", params }))]
      : []),
  ];
}

function usePlaces(owner: string): Command[] {
  const navigate = useNavigate();
  const taxonomy = useQuery(taxonomyQuery(owner)).data;
  const place = (id: string, label: string, keywords: string, search: HomeSearch, hint?: string): Command => ({
    ...{ id, label, keywords, group: "Cabinet" },
    ...(hint === undefined ? {} : { hint }),
    run: () => void navigate({ to: "/w/$owner", params: { owner }, search }),
  });
  const lists = [
    place("all", "All reports", "home", {}, "g a"),
    place("recent", "Recent", "opened published latest", { place: "recent" }, "g r"),
    place("starred", "Starred", "stars favorites shortcuts", { place: "starred" }, "g s"),
  ];
  if (taxonomy === undefined) return lists;
  const drawers = new Map(taxonomy.drawers.map(({ id, title }) => [id, title]));
  const pathOf = (folder: { title: string; drawer_id: string | null }) =>
    folder.drawer_id === null ? folder.title : `${drawers.get(folder.drawer_id) ?? ""} / ${folder.title}`;
  return [
    ...lists,
    place("unfiled", "Unfiled reports", "no folder", { folder: "none" }, "g u"),
    place("untagged", "Untagged reports", "no tag", { tags: ["none"] }),
    ...taxonomy.drawers.map(({ id, title }) => place(id, title, "drawer", { drawer: id })),
    ...taxonomy.folders.map((folder) => place(folder.id, pathOf(folder), "folder", { folder: folder.id })),
    ...taxonomy.tags.map(({ id, title }) => place(id, `#${title}`, "tag", { tags: [id] })),
  ];
}

function useWorkspaces(owner: string): Command[] {
  const navigate = useNavigate();
  return useAccount()
    .workspaces.filter(({ slug }) => slug !== owner)
    .map(({ slug, display_name }) => ({
      id: `workspace-${slug}`,
      label: `Switch to ${display_name ?? slug}`,
      group: "Workspaces",
      keywords: `workspace ${slug}`,
      run: () => void navigate({ to: "/w/$owner", params: { owner: slug } }),
    }));
}

function useThemeCommands(): Command[] {
  const session = useSession();
  const { setColorScheme } = useMantineColorScheme();
  const openShortcuts = useOpenShortcuts();
  const look = (scheme: "light" | "dark" | "auto", label: string): Command => ({
    ...{ id: `theme-${scheme}`, label, group: "This browser", keywords: "colors mode appearance" },
    run: () => setColorScheme(scheme),
  });
  return [
    {
      id: "shortcuts",
      label: "Keyboard shortcuts",
      group: "This browser",
      keywords: "keys hotkeys help",
      hint: "?",
      run: openShortcuts,
    },
    look("light", "Light theme"),
    look("dark", "Dark theme"),
    look("auto", "System theme"),
    {
      id: "sign-out",
      label: "Sign out",
      group: "This browser",
      keywords: "log out leave",
      run: () => void session.signOut(),
    },
  ];
}
