import { useQueryClient } from "@tanstack/react-query";
import type { RefObject } from "react";
import { removeMemberRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { keys } from "../api/queries.ts";
import { ConfirmDialog } from "./confirm.tsx";
import { notifySuccess } from "./notify.ts";
import { useAccount } from "./use-account.ts";

interface Props {
  isOpen: boolean;
  /** May be undefined while closed: the dialog is mounted early so that it can restore the focus. */
  organization: { slug: string; display_name: string | null } | undefined;
  onClose(): void;
  /** Called before the organization disappears from the user's account. */
  onLeft?(): Promise<unknown>;
  focusAfter?: RefObject<HTMLElement | null>;
}

/** Confirms leaving an organization. */
export function LeaveDialog({ isOpen, organization, onClose, onLeft, focusAfter }: Props) {
  const queries = useQueryClient();
  const { user } = useAccount();
  const name = organization?.display_name ?? organization?.slug ?? "";
  async function leave(): Promise<void> {
    if (organization === undefined) return;
    const { slug } = organization;
    await api.call(removeMemberRoute, { body: { owner: slug, userId: user.id } });
    await onLeft?.();
    queries.removeQueries({ queryKey: keys.workspace(slug) });
    await queries.invalidateQueries({ queryKey: keys.account });
    notifySuccess(`You left ${name}`);
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Leave ${name}?`}
      action="Leave"
      onConfirm={leave}
      onClose={onClose}
      {...(focusAfter === undefined ? {} : { focusAfter })}
    >
      You and your access tokens lose access to its reports immediately. Reports you published stay.
    </ConfirmDialog>
  );
}
