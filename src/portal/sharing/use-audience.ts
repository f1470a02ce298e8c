import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ItemDetailEntry, setVisibilityRoute, shareWithOrganizationRoute } from "../../client/routes.ts";
import { refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { type ItemReference, referenceOf, referenceText } from "../api/references.ts";
import { notifyError, notifySuccess } from "../shared/notify.ts";
import { type Account, useAccount } from "../shared/use-account.ts";
import { type Visibility, visibilityLabel } from "../shared/visibility.tsx";

interface Audience {
  /** The audiences the report can have. */
  choices: readonly Visibility[];
  /** Changes the audience at once and offers to undo it. */
  set(audience: Visibility): void;
  isPending: boolean;
}

/** Returns who a report can be visible to, and a function that changes it. */
export function useAudience(item: ItemDetailEntry): Audience {
  const queries = useQueryClient();
  const { workspaces } = useAccount();
  const owner = item.owner_slug;
  const apply = async (audience: Visibility) => {
    await setAudience(referenceOf(referenceText(item)), audience);
    await refreshAbout(queries, owner, ["items"]);
  };
  const { mutate, isPending } = useMutation({
    mutationFn: apply,
    onError: (error) => notifyError("Couldn't change who can view the report", error),
  });
  return {
    choices: choicesFor(item, workspaces),
    set(audience) {
      const before = item.visibility;
      mutate(audience, {
        onSuccess: () =>
          notifySuccess(`Now ${visibilityLabel(audience).toLowerCase()}: “${item.title}”`, () => apply(before)),
      });
    },
    isPending,
  };
}

const setAudience = (subject: ItemReference, audience: Visibility): Promise<unknown> =>
  audience === "org"
    ? api.call(shareWithOrganizationRoute, { body: { ...subject, shared: true } })
    : api.call(setVisibilityRoute, { body: { ...subject, visibility: audience } });

/** Only members of an organization can share with one. */
function choicesFor({ owner_slug, visibility }: ItemDetailEntry, workspaces: Account["workspaces"]): Visibility[] {
  const isOrganizations = workspaces.some(({ slug, kind }) => slug === owner_slug && kind === "org");
  const isInOne = isOrganizations || workspaces.some(({ kind }) => kind === "org");
  return isInOne || visibility === "org" ? ["private", "org", "public"] : ["private", "public"];
}
