declare const allowance: unique symbol;

/** What an access check can allow: reading, changing, deleting and sharing, or administering the server. */
export type Action = "read" | "modify" | "control" | "administer";

/** Proves that an access check has passed. */
export type Authorized<Allowed extends Action, Thing> = Thing & { readonly [allowance]: Allowed };

/** Marks a thing as allowed. Only access checks (`access.ts`, `review-access.ts`) may call it. */
export const grant = <Allowed extends Action, Thing>(thing: Thing) => thing as Authorized<Allowed, Thing>;
