import type { WorkspaceKind } from "../../domain/model/entities.ts";
import type {
  AdministeredOrganization,
  AdministeredWorkspace,
  SlugPage,
  WorkspaceContents,
  WorkspaceOrder,
  WorkspacePlace,
} from "../../domain/operations/administration-ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { Database } from "../engine/schema.ts";
import { containing } from "./administered-users.ts";

/** Lists organizations, sorted by slug. */
export function listOrganizations(
  database: Database,
  engine: Engine,
  { contains, after, limit }: SlugPage,
): Promise<AdministeredOrganization[]> {
  return database
    .selectFrom("workspaces")
    .select((select) => [
      "workspaces.id",
      "workspaces.slug",
      "workspaces.display_name as name",
      "workspaces.plan",
      "workspaces.stored_bytes as storedBytes",
      "workspaces.created_at as createdAt",
      select
        .selectFrom("memberships")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("memberships.workspace_id", "=", "workspaces.id")
        .$asScalar<"count">()
        .as("members"),
    ])
    .where("workspaces.kind", "=", "org")
    .$if(contains !== undefined, (query) =>
      query.where(containing(engine, contains ?? "", ["workspaces.slug", "workspaces.display_name"])),
    )
    .$if(after !== undefined, (query) => query.where("workspaces.slug", ">", after ?? ""))
    .orderBy("workspaces.slug")
    .limit(limit)
    .execute();
}

const selectWorkspaces = (database: Database) =>
  database
    .selectFrom("workspaces")
    .select(["id", "slug", "kind", "display_name as name", "plan", "stored_bytes as storedBytes"])
    .select("created_at as createdAt");

export const findWorkspace = (database: Database, slug: string): Promise<AdministeredWorkspace | undefined> =>
  selectWorkspaces(database).where("slug", "=", slug).executeTakeFirst();

interface WorkspacePage {
  by: WorkspaceOrder;
  kind: WorkspaceKind | undefined;
  after: WorkspacePlace | undefined;
  limit: number;
}

/** Lists workspaces, sorted by slug, or by stored bytes with the largest first. */
export function listWorkspaces(
  database: Database,
  _engine: Engine,
  { by, kind, after, limit }: WorkspacePage,
): Promise<AdministeredWorkspace[]> {
  const isByStorage = by === "storage";
  return selectWorkspaces(database)
    .$if(kind !== undefined, (query) => query.where("kind", "=", kind ?? "user"))
    .$if(after !== undefined && !isByStorage, (query) => query.where("slug", ">", after?.slug ?? ""))
    .$if(after !== undefined && isByStorage, (query) =>
      query.where((where) =>
        where.or([
          where("stored_bytes", "<", after?.storedBytes ?? 0),
          where("stored_bytes", "=", after?.storedBytes ?? 0).and("slug", ">", after?.slug ?? ""),
        ]),
      ),
    )
    .$if(isByStorage, (query) => query.orderBy("stored_bytes", "desc"))
    .orderBy("slug")
    .limit(limit)
    .execute();
}

export async function countContents(
  database: Database,
  _engine: Engine,
  workspaceId: string,
): Promise<WorkspaceContents> {
  const { reports, versions, storedBytes } = await database
    .selectFrom("workspaces")
    .select((select) => [
      "stored_bytes as storedBytes",
      select
        .selectFrom("items")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("items.workspace_id", "=", workspaceId)
        .as("reports"),
      select
        .selectFrom("versions")
        .innerJoin("items", "items.id", "versions.item_id")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("items.workspace_id", "=", workspaceId)
        .as("versions"),
    ])
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return { reports: reports ?? 0, versions: versions ?? 0, storedBytes };
}
