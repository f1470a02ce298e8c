import type { Hono } from "hono";
import type { Addresses } from "../../../domain/model/links.ts";
import type { Random } from "../../../domain/model/ports.ts";
import { type Invitations, prospectOf } from "../../../domain/people/invitations.ts";
import { type PasswordResets, RESET_PATH } from "../../../domain/people/password-resets.ts";
import type { SignUp } from "../../../domain/people/sign-up.ts";
import { htmlResponse, localPath, missing, redirectTo, scriptedResponse } from "../../http/page-responses.ts";
import type { FindSession } from "../../http/session-cookie.ts";
import type { Environment } from "../mount.ts";
import { invitationForNewcomers, invitationForUsers, invitationOverPage } from "./invitation-page.ts";
import { INVITATION_PATH } from "./invitations.ts";
import {
  FORGOTTEN_PATH,
  forgottenPage,
  linkSentPage,
  newPasswordPage,
  passwordChangedPage,
  resetOverPage,
} from "./password-pages.ts";
import { signUpPage } from "./sign-up-page.ts";

export interface PeoplePagesDependencies {
  addresses: Addresses;
  findSession: FindSession;
  random: Random;
  signUp: Pick<SignUp, "isOpen">;
  invitations: Pick<Invitations, "find">;
  passwordResets: Pick<PasswordResets, "sendsMail" | "isOpen">;
}

/** Mounts the pages for creating an account and for joining an organization. */
export function mountPeoplePages(app: Hono<Environment>, dependencies: PeoplePagesDependencies): void {
  const { findSession, random, signUp, invitations, passwordResets } = dependencies;
  const { baseUrl } = dependencies.addresses;

  // Redirects bookmarks from before the portal.
  app.get("/-/organizations/:slug", (context) =>
    redirectTo(`${baseUrl}/-/w/${encodeURIComponent(context.req.param("slug"))}/members`),
  );

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

  if (passwordResets.sendsMail) {
    app.get(FORGOTTEN_PATH, () => scriptedResponse(random, forgottenPage));
    app.get(`${FORGOTTEN_PATH}/sent`, () => htmlResponse(linkSentPage(), 200));
  }
  app.get(RESET_PATH, async (context) => {
    const secret = context.req.query("token") ?? "";
    if (!(await passwordResets.isOpen(secret))) return htmlResponse(resetOverPage(passwordResets), 404);
    return scriptedResponse(random, (nonce) => newPasswordPage(nonce, secret));
  });
  app.get(`${RESET_PATH}/done`, () => htmlResponse(passwordChangedPage(), 200));

  app.get("/-/sign-up", async (context) => {
    if (!signUp.isOpen) return missing();
    const next = localPath(context.req.query("next"), baseUrl);
    const session = await findSession(context.req.raw.headers);
    if (session !== undefined) return redirectTo(baseUrl + next);
    return scriptedResponse(random, (nonce) => signUpPage(nonce, next));
  });
}
