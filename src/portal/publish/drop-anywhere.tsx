import { Portal, Text } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { IconUpload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useMatch, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { itemQuery } from "../api/first-queries.ts";
import { isName } from "../shared/names.ts";
import { useAccount, useReferenceOfAddress } from "../shared/use-account.ts";
import styles from "./drop-anywhere.module.css";
import { useEarlyDrops, usePutDrop } from "./drop-box.tsx";
import { followFileDrags } from "./file-drags.ts";
import { emptyTransfer, type Handed } from "./handed.ts";
import { pastedIn } from "./pasted.ts";

/** Where dropped files go: to a workspace, as a version of one of its reports if named. */
interface Target {
  owner: string;
  name: string | undefined;
  /** The place of that report on the page. */
  element: Element | undefined;
}

/** Accepts files dropped, and files and HTML pasted, anywhere on the page. */
export function DropAnywhere({ owner }: { owner: string }) {
  const findTarget = useFindTarget(owner);
  const hand = useHand();
  const [target, setTarget] = useState<Target>();
  const latest = useRef({ findTarget, hand });
  latest.current = { findTarget, hand };
  useEffect(() => {
    const following = new AbortController();
    followFileDrags({
      signal: following.signal,
      onOver: (element) =>
        setTarget((before) => (element === null ? undefined : unlessSame(before, latest.current.findTarget(element)))),
      onDrop: (transfer, element) => latest.current.hand(emptyTransfer(transfer), latest.current.findTarget(element)),
    });
    return () => following.abort();
  }, []);
  const early = useEarlyDrops();
  useEffect(
    () =>
      early.follow(({ handed, element }) => {
        const { hand: handNow, findTarget: findNow } = latest.current;
        handNow(handed, findNow(element));
      }),
    [early],
  );
  useMarks(target);
  usePastes((pasted) => hand(pasted, findTarget(undefined)));
  if (target === undefined) return null;
  return (
    <Portal>
      <div className={styles.veil}>
        <div className={styles.card} role="status">
          <IconUpload aria-hidden />
          <DropText target={target} />
        </div>
      </div>
    </Portal>
  );
}

function unlessSame(before: Target | undefined, now: Target | undefined): Target | undefined {
  const isSame = before?.owner === now?.owner && before?.name === now?.name && before?.element === now?.element;
  return isSame ? before : now;
}

function DropText({ target: { owner, name } }: { target: Target }) {
  const { workspaces } = useAccount();
  const workspace = workspaces.find(({ slug }) => slug === owner);
  return (
    <Text fw={500}>
      {name === undefined
        ? `Drop to publish to ${workspace?.display_name ?? owner}`
        : `Drop to publish a new version of ${name}`}
    </Text>
  );
}

/** Returns a function that tells where files dropped on an element go; undefined if nowhere. */
function useFindTarget(owner: string): (element: Element | undefined) => Target | undefined {
  const { user, workspaces } = useAccount();
  const queries = useQueryClient();
  const reference = useReferenceOfAddress();
  const isMember = (slug: string | undefined) => workspaces.some((workspace) => workspace.slug === slug);
  return (element) => {
    const row = element?.closest("[data-key]") ?? undefined;
    const key = row?.getAttribute("data-key") ?? undefined;
    if (key !== undefined && isName(key) && isMember(owner)) return { owner, name: key, element: row };
    const shown = reference === undefined ? undefined : queries.getQueryData(itemQuery(reference).queryKey);
    if (shown !== undefined && isMember(shown.owner_slug)) {
      return { owner: shown.owner_slug, name: shown.name, element: undefined };
    }
    return { owner: isMember(owner) ? owner : user.slug, name: undefined, element: undefined };
  };
}

/** Returns a function that opens the publish page with what was dropped or pasted; its own form keeps its target. */
function useHand(): (handed: Handed, target: Target | undefined) => void {
  const put = usePutDrop();
  const navigate = useNavigate();
  const isThere = useMatch({ from: "/w/$owner/publish", shouldThrow: false }) !== undefined;
  return (handed, target) => {
    if (target === undefined) return;
    put(handed);
    const { owner, name } = target;
    if (!isThere) {
      void navigate({ to: "/w/$owner/publish", params: { owner }, search: name === undefined ? {} : { name } });
    }
  };
}

/** Marks the page while files are over it, and the report under the pointer. */
function useMarks(target: Target | undefined): void {
  const isOver = target !== undefined;
  const element = target?.element;
  useEffect(() => {
    document.documentElement.toggleAttribute("data-file-drag", isOver);
    return () => document.documentElement.removeAttribute("data-file-drag");
  }, [isOver]);
  useEffect(() => {
    element?.setAttribute("data-drop-target", "");
    return () => element?.removeAttribute("data-drop-target");
  }, [element]);
}

/** Receives files and HTML source pasted anywhere but on the publish page, which takes rich text too. */
function usePastes(onPaste: (handed: Handed) => void): void {
  const isPublishing = useMatch({ from: "/w/$owner/publish", shouldThrow: false }) !== undefined;
  useWindowEvent("paste", (event: ClipboardEvent) => {
    const pasted = isPublishing ? undefined : pastedIn(event);
    if (pasted !== undefined) onPaste(pasted);
  });
}
