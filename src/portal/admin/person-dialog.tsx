import { Modal } from "@mantine/core";
import { type RefObject, useState } from "react";
import {
  createResetLinkRoute,
  disableUserRoute,
  enableUserRoute,
  endUserSessionsRoute,
  setOperatorRoute,
} from "../../client/routes.ts";
import { describeCount } from "../shared/amounts.ts";
import { ConfirmDialog } from "../shared/confirm.tsx";
import { notifySuccess } from "../shared/notify.ts";
import { Secret } from "../shared/secret.tsx";
import { useAdminCall } from "./use-admin-call.ts";

export type PersonAction = "reset" | "sign out" | "grant" | "revoke" | "disable" | "enable";

interface Words {
  title: string;
  action: string;
  consequence: string;
}

const wordsOf = (name: string): Readonly<Record<PersonAction, Words>> => ({
  reset: {
    title: `Create a password reset link for ${name}?`,
    action: "Create link",
    consequence: "Anyone with the link can set a new password and sign in. It works once, for one hour.",
  },
  "sign out": {
    title: `Sign ${name} out everywhere?`,
    action: "Sign out",
    consequence: "All of their sessions end. Their access tokens keep working.",
  },
  grant: {
    title: `Grant ${name} the operator role?`,
    action: "Grant role",
    consequence: "They can administer this server: its people, organizations, storage and access tokens.",
  },
  revoke: {
    title: `Revoke the operator role of ${name}?`,
    action: "Revoke role",
    consequence: "They can no longer administer this server. Their account stays.",
  },
  disable: {
    title: `Disable ${name}?`,
    action: "Disable",
    consequence: "They are signed out and can't sign in, and their access tokens stop working. Their reports stay.",
  },
  enable: {
    title: `Enable ${name}?`,
    action: "Enable",
    consequence: "They can sign in again, and their access tokens work again.",
  },
});

interface Props {
  slug: string;
  name: string;
  /** Undefined while the dialog is closed. */
  action: PersonAction | undefined;
  onClose(): void;
  focusAfter: RefObject<HTMLElement | null>;
}

/** Asks before an action on a user and carries it out. */
export function PersonDialog({ slug, name, action, onClose, focusAfter }: Props) {
  const [shown, setShown] = useState<PersonAction>("enable");
  const [link, setLink] = useState<string>();
  const disabling = useAdminCall(disableUserRoute);
  const enabling = useAdminCall(enableUserRoute);
  const appointing = useAdminCall(setOperatorRoute);
  const resetting = useAdminCall(createResetLinkRoute);
  const ending = useAdminCall(endUserSessionsRoute);
  // Keeps its words while the dialog fades out.
  if (action !== undefined && action !== shown) setShown(action);
  const { title, action: label, consequence } = wordsOf(name)[shown];

  const carryOut: Readonly<Record<PersonAction, () => Promise<unknown>>> = {
    reset: async () => setLink((await resetting.mutateAsync({ user: slug })).url),
    "sign out": async () => {
      const { ended } = await ending.mutateAsync({ user: slug });
      notifySuccess(`Ended ${describeCount(ended, "session")} of ${name}`);
    },
    grant: async () => {
      await appointing.mutateAsync({ user: slug, is_operator: true });
      notifySuccess(`${name} is now an operator`);
    },
    revoke: async () => {
      await appointing.mutateAsync({ user: slug, is_operator: false });
      notifySuccess(`${name} is no longer an operator`);
    },
    disable: async () => {
      await disabling.mutateAsync({ user: slug });
      notifySuccess(`${name} disabled`);
    },
    enable: async () => {
      await enabling.mutateAsync({ user: slug });
      notifySuccess(`${name} enabled`);
    },
  };

  return (
    <>
      <ConfirmDialog
        isOpen={action !== undefined}
        title={title}
        action={label}
        onConfirm={carryOut[shown]}
        onClose={onClose}
        focusAfter={focusAfter}
      >
        {consequence}
      </ConfirmDialog>
      <Modal opened={link !== undefined} onClose={() => setLink(undefined)} title={`Password reset link for ${name}`}>
        <Secret label="Link" text={link ?? ""} what="link" onDone={() => setLink(undefined)}>
          Copy the link now and give it to {name}. It isn't shown again, and it works once, for one hour.
        </Secret>
      </Modal>
    </>
  );
}
