import { forbidden } from "../model/failure.ts";
import type { Accounts, RequestedUser } from "./accounts.ts";

interface Dependencies {
  accounts: Pick<Accounts, "registerUser">;
  isSignUpOpen: boolean;
}

/** Creates the service with which people register, if the operator allows it. */
export function createSignUp({ accounts, isSignUpOpen }: Dependencies) {
  /** Creates an account. Throws `Forbidden` if registration is closed, `Invalid` or `Conflict`. */
  async function register(requested: Omit<RequestedUser, "plan">): Promise<void> {
    if (!isSignUpOpen)
      throw forbidden(
        "Registration is closed on this server. Ask for an invitation, or ask an administrator to create an account.",
      );
    await accounts.registerUser(requested);
  }

  return { isOpen: isSignUpOpen, register };
}

export type SignUp = ReturnType<typeof createSignUp>;
