import { useSuspenseQuery } from "@tanstack/react-query";
import { useMatch } from "@tanstack/react-router";
import { createContext, useContext } from "react";
import { accountQuery } from "../api/first-queries.ts";

/** Returns the signed-in user and their workspaces; suspends on first load. */
export const useAccount = () => useSuspenseQuery(accountQuery()).data;

export type Account = ReturnType<typeof useAccount>;
export type Workspace = Account["workspaces"][number];

export const nameOf = ({ display_name, slug }: Pick<Workspace, "display_name" | "slug">): string =>
  display_name ?? slug;

/** Returns one of the user's workspaces, or undefined. */
export const useWorkspace = (slug: string): Workspace | undefined =>
  useAccount().workspaces.find((workspace) => workspace.slug === slug);

/** The page's workspace, even if its address doesn't name one. */
export const OwnerContext = createContext<string>("");

export const useOwner = (): string => useContext(OwnerContext);

/** Returns the workspace named in the address. */
export const useOwnerOfAddress = (): string | undefined =>
  useMatch({ strict: false, select: ({ params }) => params.owner });

/** Returns the report named in the address. */
export const useReferenceOfAddress = (): string | undefined =>
  useMatch({ strict: false, select: ({ params }) => params.reference });
