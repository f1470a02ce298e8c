import { useSuspenseQuery } from "@tanstack/react-query";
import { useMatch } from "@tanstack/react-router";
import { createContext, useContext } from "react";
import { accountQuery } from "../api/queries.ts";

/** Who is signed in, with their workspaces; the page waits for it once. */
export const useAccount = () => useSuspenseQuery(accountQuery()).data;

export type Account = ReturnType<typeof useAccount>;
export type Workspace = Account["workspaces"][number];

/** A workspace of the reader, or undefined. */
export const useWorkspace = (slug: string): Workspace | undefined =>
  useAccount().workspaces.find((workspace) => workspace.slug === slug);

/** The workspace that the page is in, whether or not its address says so. */
export const OwnerContext = createContext<string>("");

export const useOwner = (): string => useContext(OwnerContext);

/** The workspace that the page's address names. */
export const useOwnerOfAddress = (): string | undefined =>
  useMatch({ strict: false, select: ({ params }) => params.owner });

/** The group or report that the page's address names. */
export const useReferenceOfAddress = (): string | undefined =>
  useMatch({ strict: false, select: ({ params }) => params.reference });
