import { forbidden } from "../model/failure.ts";
import type { Accounts, WantedUser } from "./accounts.ts";

interface Parts {
  accounts: Pick<Accounts, "registerUser">;
  isSignUpOpen: boolean;
}

/** Accounts that people make for themselves, where the operator lets them. */
export function createSignUp({ accounts, isSignUpOpen }: Parts) {
  /** Throws `Forbidden` where registration is closed, `Invalid` or `Conflict`. */
  async function register(wanted: Omit<WantedUser, "plan">): Promise<void> {
    if (!isSignUpOpen)
      throw forbidden(
        "Registration is closed on this server. Ask for an invitation, or ask an administrator to create an account.",
      );
    await accounts.registerUser(wanted);
  }

  return { isOpen: isSignUpOpen, register };
}

export type SignUp = ReturnType<typeof createSignUp>;
