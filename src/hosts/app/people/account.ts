import { type AccountEntry, accountRoute, setDisplayNameRoute } from "../../../contract/people/account.ts";
import type { Caller } from "../../../domain/model/entities.ts";
import {
  FILE_BYTES,
  FILES_PER_UPLOAD,
  FREE_PLAN_FILE_BYTES,
  ITEMS_PER_CALL,
  TITLE_CHARACTERS,
  UPLOAD_BODY_BYTES,
} from "../../../domain/model/limits.ts";
import type { Addresses } from "../../../domain/model/links.ts";
import type { Account, OwnedAccount } from "../../../domain/people/account.ts";
import type { SignUp } from "../../../domain/people/sign-up.ts";
import type { Mount } from "../mount.ts";

interface AccountDependencies {
  account: Account;
  signUp: Pick<SignUp, "isOpen">;
  addresses: Pick<Addresses, "contentUrl">;
}

export function mountAccount(mount: Mount, { account, signUp, addresses }: AccountDependencies): void {
  mount.guarded(accountRoute, async (caller) => ({
    ...ownEntry(await account.describe(caller), caller),
    workspace: caller.workspace.slug,
    limits: {
      files_per_upload: FILES_PER_UPLOAD,
      file_bytes: FILE_BYTES,
      request_bytes: UPLOAD_BODY_BYTES,
      free_plan_file_bytes: FREE_PLAN_FILE_BYTES,
      title_characters: TITLE_CHARACTERS,
      items_per_call: ITEMS_PER_CALL,
    },
    is_sign_up_open: signUp.isOpen,
    content_url: addresses.contentUrl,
  }));

  mount.guarded(setDisplayNameRoute, async (caller, { owner, display_name }) => {
    await account.setDisplayName(caller, owner, display_name);
    return { ok: true, display_name };
  });
}

const ownEntry = (own: OwnedAccount, { isOperator }: Caller): Pick<AccountEntry, "user" | "workspaces"> => ({
  user: {
    id: own.id,
    slug: own.slug,
    display_name: own.name,
    email: own.email,
    is_operator: isOperator,
    has_password: own.hasPassword,
  },
  workspaces: own.workspaces.map((workspace) => ({
    slug: workspace.slug,
    kind: workspace.kind,
    display_name: workspace.displayName,
    role: workspace.role,
    plan: workspace.plan,
    stored_bytes: workspace.storedBytes,
    quota_bytes: workspace.quota,
    default_folder_id: workspace.defaultFolderId,
    default_visibility: workspace.defaultVisibility ?? "private",
    seen_by: workspace.seenBy ?? "off",
  })),
});
