import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ItemDetailEntry, setVisibilityRoute, shareWithOrganizationRoute } from "../../client/routes.ts";
import { refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { type ItemReference, referenceOf, referenceText } from "../api/references.ts";
import { shareQuery } from "../api/sharing-queries.ts";
import { notifyError, notifySuccess } from "../shared/notify.ts";
import { type Account, nameOf, useAccount } from "../shared/use-account.ts";
import { describeReaders, type Visibility, visibilityLabel } from "../shared/visibility.tsx";

/** Those who can view a report, without the people who are added by name. */
export interface Audience {
  visibility: Visibility;
  /** The only organization that it is shared with; null for all, and for other audiences. */
  org: string | null;
  label: string;
  about: string;
}

interface Change {
  to: Audience;
  /** Undefined if nothing can take the change back. */
  from: Audience | undefined;
}

interface AudienceChoices {
  /** The audiences the report can have. */
  choices: readonly Audience[];
  /** Undefined until it is known. */
  current: Audience | undefined;
  /** Changes the audience at once and offers to undo it. */
  set(audience: Audience): void;
  isPending: boolean;
}

/** Returns who a report can be visible to, and a function that changes it. */
export function useAudience(item: ItemDetailEntry): AudienceChoices {
  const queries = useQueryClient();
  const { workspaces } = useAccount();
  const reference = referenceText(item);
  const { data: shares } = useQuery({ ...shareQuery(reference), enabled: item.may_control });
  const apply = async (audience: Audience) => {
    await setAudience(referenceOf(reference), audience);
    await refreshAbout(queries, item.owner_slug, ["items"]);
  };
  // What follows stands here, not at the call: it has to happen also when the dialog is closed before the answer.
  const { mutate, isPending } = useMutation({
    mutationFn: ({ to }: Change) => apply(to),
    onSuccess: (_, { to, from }) =>
      notifySuccess(
        `Now ${to.org === null ? to.label.toLowerCase() : `shared with ${to.label}`}: “${item.title}”`,
        from && (() => apply(from)),
      ),
    onError: (error) => notifyError("Couldn't change who can view the report", error),
  });
  const choices = audiencesFor(item, workspaces, shares?.people.length ?? 0);
  const org = shares?.org?.slug ?? null;
  const current = choices.find(({ visibility, ...choice }) => visibility === item.visibility && choice.org === org);
  return {
    choices,
    current,
    set: (audience) => mutate({ to: audience, from: current }),
    isPending,
  };
}

const setAudience = (subject: ItemReference, { visibility, org }: Audience): Promise<unknown> =>
  visibility === "org"
    ? api.call(shareWithOrganizationRoute, { body: { ...subject, ...(org === null ? {} : { org }), shared: true } })
    : api.call(setVisibilityRoute, { body: { ...subject, visibility } });

/**
 * Returns the audiences that a report can have. Only members of an organization can share with one; those of several
 * choose among them.
 */
export function audiencesFor(
  { owner_slug, visibility }: Pick<ItemDetailEntry, "owner_slug" | "visibility">,
  workspaces: Account["workspaces"],
  people = 0,
): Audience[] {
  const workspace = workspaces.find(({ slug }) => slug === owner_slug) ?? {
    kind: "org" as const,
    slug: owner_slug,
    display_name: null,
  };
  const choice = (one: Visibility): Audience => ({
    visibility: one,
    org: null,
    label: visibilityLabel(one),
    about: describeReaders(one, workspace),
  });
  const privately = choice("private");
  const known = people === 0 ? privately : { ...privately, about: "You and the people below can view." };
  const organizations = workspaces.filter(({ kind }) => kind === "org");
  if (workspace.kind === "org") return [privately, choice("org"), choice("public")];
  if (organizations.length === 0 && visibility !== "org") return [known, choice("public")];
  const all = { ...choice("org"), ...(organizations.length > 1 ? { label: "All your organizations" } : {}) };
  const single = organizations.length > 1 ? organizations : [];
  const each = single.map(
    (organization): Audience => ({
      visibility: "org",
      org: organization.slug,
      label: nameOf(organization),
      about: `Members of ${nameOf(organization)} can view.`,
    }),
  );
  return [known, ...each, all, choice("public")];
}
