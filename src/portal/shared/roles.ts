import type { MemberEntry } from "../../client/routes.ts";

export type Role = MemberEntry["role"];

const labels: Readonly<Record<Role, string>> = { owner: "Owner", admin: "Admin", member: "Member" };

export const roleLabel = (role: Role): string => labels[role];

/** "an owner", as it stands in a sentence. */
export const rolePhrase = (role: Role): string => (role === "member" ? "a member" : `an ${role}`);

/** Whether somebody with this role looks after the organization. */
export const governs = (role: Role): boolean => role !== "member";
