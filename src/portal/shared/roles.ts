import type { MemberEntry } from "../../client/routes.ts";

export type Role = MemberEntry["role"];

const labels: Readonly<Record<Role, string>> = { owner: "Owner", admin: "Admin", member: "Member" };

export const roleLabel = (role: Role): string => labels[role];

/** Returns the role with its article, such as "an owner". */
export const rolePhrase = (role: Role): string => (role === "member" ? "a member" : `an ${role}`);

/** Returns whether a role can manage the organization. */
export const canManage = (role: Role): boolean => role !== "member";
