import type { Instant } from "../model/entities.ts";

/** How the user with an email address signs in. */
export interface EmailOwner {
  userId: string;
  email: string;
  hasPassword: boolean;
}

/** A single-use link with which a user sets a new password. Only the hash of its secret is stored. */
export interface NewPasswordReset {
  id: string;
  userId: string;
  hash: string;
  /** Whether only the owner of the user's email address gets the link. */
  isMailed: boolean;
  expiresAt: Instant;
  now: Instant;
}

/** A new password. `accountId` is used if the user has had none. */
export interface NewPassword {
  accountId: string;
  passwordHash: string;
  now: Instant;
}

export interface PasswordStore {
  /** Returns the user with an email address; undefined if the address is unknown or the user is disabled. */
  findEmailOwner(email: string): Promise<EmailOwner | undefined>;
  addPasswordReset(reset: NewPasswordReset): Promise<void>;
  /** Returns whether a link is valid now. */
  hasPasswordReset(hash: string, now: Instant): Promise<boolean>;
  /**
   * Uses up a link and all others of its user, sets the password and ends all sessions, or does nothing. Returns the
   * user; undefined if the link isn't valid. A mailed link verifies the email address. If it wasn't verified before,
   * this removes the user's identities and tokens, which may be someone else's.
   */
  redeemPasswordReset(use: NewPassword & { hash: string }): Promise<EmailOwner | undefined>;
  /** Sets the password of a user, ends all sessions and uses up all links. */
  replacePassword(change: NewPassword & { userId: string }): Promise<void>;
}

/** Sends mails about accounts. Each call rejects if the mail was not accepted. */
export interface AccountMail {
  sendPasswordLink(mail: { to: string; url: string }): Promise<void>;
  /** Tells a user without a password how they sign in. */
  sendSingleSignOnHint(mail: { to: string }): Promise<void>;
  sendPasswordChanged(mail: { to: string }): Promise<void>;
}
