import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";

/** Begins a session for a user whom somebody else has identified. Callable here in the server alone: it has no path. */
export const signInAsPlugin = {
  id: "sign-in-as",
  endpoints: {
    signInAs: createAuthEndpoint.serverOnly(
      { method: "POST", body: z.object({ userId: z.string() }) },
      async (context) => {
        const { internalAdapter } = context.context;
        const user = await internalAdapter.findUserById(context.body.userId);
        if (user === null) throw new Error("Whoever signed in with single sign-on is gone.");
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(context, { session, user });
        return context.json({ ok: true });
      },
    ),
  },
};
