import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";

/** Starts a session for a user who signed in with another service. It has no path, so only the server can call it. */
export const signInAsPlugin = {
  id: "sign-in-as",
  endpoints: {
    signInAs: createAuthEndpoint.serverOnly(
      { method: "POST", body: z.object({ userId: z.string() }) },
      async (context) => {
        const { internalAdapter } = context.context;
        const user = await internalAdapter.findUserById(context.body.userId);
        if (user === null) throw new Error("The user who signed in with single sign-on no longer exists.");
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(context, { session, user });
        return context.json({ ok: true });
      },
    ),
  },
};
