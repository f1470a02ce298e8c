import type { Services } from "../../../domain/services.ts";
import type { Readiness } from "../../../observability/readiness.ts";
import { createCursors } from "../../http/cursors.ts";
import type { Mount } from "../mount.ts";
import { mountServer, type ServerFacts } from "./server.ts";
import { mountUsers } from "./users.ts";
import { mountWorkspaces } from "./workspaces.ts";

interface Dependencies extends Pick<Services, "audit" | "operations" | "people"> {
  readiness: Pick<Readiness, "report">;
  server: ServerFacts;
  secret: string;
}

export function mountRoutes(mount: Mount, dependencies: Dependencies): void {
  const { operations, people, secret } = dependencies;
  const parts = {
    ...dependencies,
    ...people,
    administration: operations.administration,
    createCursors: <Place>() => createCursors<Place>({ secret }),
  };
  mountUsers(mount, parts);
  mountWorkspaces(mount, parts);
  mountServer(mount, parts);
}
