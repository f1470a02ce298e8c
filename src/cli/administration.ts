/** What administration commands do to the database, without a running server. */
export interface Administration {
  createUser(user: {
    email: string;
    slug: string;
    name?: string | undefined;
    plan?: Plan | undefined;
    password: string;
  }): Promise<void>;
  makePassword(): string;
  createOrganization(organization: {
    slug: string;
    name: string;
    ownerSlug: string;
    plan?: Plan | undefined;
  }): Promise<unknown>;
  addMember(member: { organizationSlug: string; userSlug: string; role: "member" | "admin" }): Promise<void>;
  setPlan(slug: string, plan: Plan): Promise<void>;
  createToken(token: {
    userSlug: string;
    workspaceSlug?: string | undefined;
    scopes: readonly string[];
    name?: string | undefined;
    expires?: string | undefined;
  }): Promise<{ id: string; token: string }>;
  listTokens(userSlug: string): Promise<readonly ListedToken[]>;
  grantOperator(userSlug: string): Promise<void>;
  revokeOperator(userSlug: string): Promise<void>;
  revokeToken(userSlug: string, id: string): Promise<void>;
}

export type Plan = "free" | "pro";

/** A token as the list shows it. Times are milliseconds since 1970. */
export interface ListedToken {
  id: string;
  name: string;
  scopes: readonly string[];
  workspaceSlug: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}

/** Opens the database, runs `work`, and closes the database. */
export type Administer = <Result>(work: (administration: Administration) => Promise<Result>) => Promise<Result>;
