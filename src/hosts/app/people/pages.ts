import type { Hono } from "hono";
import { governs } from "../../../domain/access.ts";
import type { KnownSession } from "../../../domain/account-ports.ts";
import { type Invitations, prospectOf } from "../../../domain/invitations.ts";
import type { Addresses } from "../../../domain/links.ts";
import type { Members } from "../../../domain/members.ts";
import type { Random } from "../../../domain/ports.ts";
import type { SignUp } from "../../../domain/sign-up.ts";
import type { FindSession } from "../../session-cookie.ts";
import { INVITATION_PATH } from "../invitations.ts";
import type { Environment } from "../mount.ts";
import { htmlResponse, localPath, missing, redirectTo, scriptedResponse, signInPath } from "../page-responses.ts";
import { accountPage } from "./account-page.ts";
import { invitationForNewcomers, invitationForUsers, invitationOverPage } from "./invitation-page.ts";
import { ACCOUNT_PATH, organizationPath } from "./look.ts";
import { organizationPage } from "./organization-page.ts";
import { signUpPage } from "./sign-up-page.ts";

export interface PeoplePagesParts {
  addresses: Addresses;
  findSession: FindSession;
  random: Random;
  signUp: Pick<SignUp, "isOpen">;
  members: Pick<Members, "list">;
  invitations: Pick<Invitations, "find" | "list">;
}

/** What people see of their account and their organizations. */
export function mountPeoplePages(app: Hono<Environment>, parts: PeoplePagesParts): void {
  const { findSession, random, signUp, members, invitations } = parts;
  const { baseUrl } = parts.addresses;
  const signInAndComeBack = (own: string) => redirectTo(baseUrl + signInPath(own));

  app.get(ACCOUNT_PATH, async (context) => {
    const session = await findSession(context.req.raw.headers);
    if (session === undefined) return signInAndComeBack(ACCOUNT_PATH);
    return scriptedResponse(random, (nonce) => accountPage(nonce, session));
  });

  app.get("/-/organizations/:slug", async (context) => {
    const slug = context.req.param("slug");
    const session = await findSession(context.req.raw.headers);
    if (session === undefined) return signInAndComeBack(organizationPath(encodeURIComponent(slug)));
    return showOrganization(session, slug);
  });

  async function showOrganization({ caller }: KnownSession, slug: string): Promise<Response> {
    const organization = caller.memberships.find((membership) => membership.slug === slug);
    if (organization?.kind !== "org") return missing();
    const listed = await members.list(caller, slug);
    const open = governs(organization) ? await invitations.list(caller, slug) : [];
    const view = { ...listed, invitations: open, userId: caller.userId };
    return scriptedResponse(random, (nonce) => organizationPage(nonce, view));
  }

  app.get(INVITATION_PATH, async (context) => {
    const secret = context.req.query("token") ?? "";
    const invitation = await invitations.find(secret);
    if (invitation === undefined) return htmlResponse(invitationOverPage(), 404);
    const session = await findSession(context.req.raw.headers);
    return scriptedResponse(random, (nonce) => {
      if (session === undefined) {
        const own = `${INVITATION_PATH}?token=${secret}`;
        return invitationForNewcomers(nonce, invitation, secret, own);
      }
      const prospect = prospectOf(invitation, { email: session.user.email, caller: session.caller });
      return invitationForUsers(nonce, invitation, secret, { prospect, user: session.user });
    });
  });

  app.get("/-/sign-up", async (context) => {
    if (!signUp.isOpen) return missing();
    const next = localPath(context.req.query("next"), baseUrl);
    const session = await findSession(context.req.raw.headers);
    if (session !== undefined) return redirectTo(baseUrl + next);
    return scriptedResponse(random, (nonce) => signUpPage(nonce, next));
  });
}
