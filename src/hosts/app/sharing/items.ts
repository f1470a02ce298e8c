import type { BodyOf } from "../../../contract/model/route.ts";
import { shareItemsRoute } from "../../../contract/sharing/items.ts";
import type { ItemSharing, SharingChange } from "../../../domain/sharing/items.ts";
import type { Mount } from "../mount.ts";
import { referenceOf } from "../references.ts";
import type { MailAllowance } from "./mail-allowance.ts";

type Entry = BodyOf<typeof shareItemsRoute>["items"][number];

export function mountItemSharing(mount: Mount, items: ItemSharing, mails: MailAllowance): void {
  mount.guarded(shareItemsRoute, async (caller, body) => {
    const { undo, newPeople } = await items.share(caller, body.items.map(changeOf), mails.leftFor(caller.userId));
    mails.use(caller.userId, newPeople);
    return { ok: true, updated: body.items.length, undo: undo === undefined ? null : { items: undo.map(entryOf) } };
  });
}

const changeOf = ({ visibility, org, add = [], remove = [], ...reference }: Entry): SharingChange => ({
  reference: referenceOf(reference),
  ...{ visibility, org, add, remove },
});

const entryOf = ({ reference, visibility, org, add, remove }: SharingChange): Entry => ({
  ...reference,
  ...(visibility && { visibility }),
  ...(org && { org }),
  ...(add.length > 0 && { add: [...add] }),
  ...(remove.length > 0 && { remove: [...remove] }),
});
