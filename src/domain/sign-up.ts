/** Whether anyone may register, or only whom an owner has made an account for. */
export const SIGN_UPS = ["closed", "open"] as const;
export type SignUp = (typeof SIGN_UPS)[number];
