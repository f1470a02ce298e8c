import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { join } from "node:path";
import pLimit from "p-limit";
import { Client } from "pg";
import { z } from "zod";
import type { TestDatabase } from "./engines.ts";

interface Reading {
  contentUrl: string;
  database: TestDatabase;
  build: { token(wanted: { userSlug: string; workspaceSlug: string }): Promise<string> };
}

const AT_ONCE = 8;

/** All versions, each with an owner of its workspace. */
const VERSIONS = `
  select v.code, v.files, w.slug as workspace, min(home.slug) as owner
  from versions v
  join items i on i.id = v.item_id
  join workspaces w on w.id = i.workspace_id
  join memberships m on m.workspace_id = w.id and m.role = 'owner'
  join users u on u.id = m.user_id and u.disabled_at is null and u.deleted_at is null
  join memberships own on own.user_id = m.user_id and own.role = 'owner'
  join workspaces home on home.id = own.workspace_id and home.kind = 'user'
  group by v.code, v.files, w.slug`;

const stored = z.array(
  z.object({
    code: z.string(),
    files: z
      .string()
      .transform((text) => z.array(z.tuple([z.string(), z.number(), z.string()])).parse(JSON.parse(text))),
    workspace: z.string(),
    owner: z.string(),
  }),
);

/**
 * Returns what reads every file of every version in a service back over its version link, by whatever door it was published,
 * and throws if a byte isn't that of the upload. Each call reads what is new.
 */
export function createReadBack({ contentUrl, database, build }: Reading): () => Promise<void> {
  const known = new Set<string>();
  const tokens = new Map<string, Promise<string>>();

  function tokenOf(workspaceSlug: string, userSlug: string): Promise<string> {
    const token = tokens.get(workspaceSlug) ?? build.token({ userSlug, workspaceSlug });
    tokens.set(workspaceSlug, token);
    return token;
  }

  return async () => {
    const limit = pLimit(AT_ONCE);
    const versions = stored.parse(await selectRows(database, VERSIONS)).filter(({ code }) => !known.has(code));
    const files = versions.flatMap((version) =>
      version.files.map(([path, , digest]) => ({ ...version, path, digest })),
    );
    const wrong = await limit.map(files, async ({ code, path, digest, workspace, owner }) => {
      const headers = { Authorization: `Bearer ${await tokenOf(workspace, owner)}` };
      const response = await fetch(`${contentUrl}/${code}/${encodeURIComponent(path)}`, { headers });
      const read = createHash("sha256")
        .update(await response.bytes())
        .digest("base64url");
      return read === digest ? [] : [`${code}/${path} (${response.status})`];
    });
    for (const { code } of versions) known.add(code);
    if (wrong.flat().length > 0) throw new Error(`Not read back as uploaded: ${wrong.flat().join(", ")}`);
  };
}

async function selectRows({ databaseUrl, dataDir }: TestDatabase, statement: string): Promise<unknown[]> {
  if (databaseUrl === undefined) {
    using connection = new Database(join(dataDir, "vitrine.db"), { readonly: true });
    return connection.query(statement).all();
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
