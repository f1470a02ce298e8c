import packageJson from "../../package.json";
import type { Addresses } from "../domain/model/links.ts";
import type { Log } from "../observability/log.ts";
import type { Threads } from "../threads/threads.ts";

/** Loads the MCP server. Called for the first MCP request, because loading takes longer than everything else. */
export async function loadMcpAnswers({ baseUrl }: Addresses, { threads, log }: { threads: Threads; log: Log }) {
  const [{ createMcpAnswers }, { createDiffThread }, { parseJson }] = await Promise.all([
    import("../mcp/http.ts"),
    import("../mcp/diff-thread.ts"),
    import("../hosts/http/body.ts"),
  ]);
  return createMcpAnswers({
    parseJson,
    version: packageJson.version,
    baseUrl,
    diffTexts: createDiffThread(threads),
    onUnexpected: (error) => log.error({ message: "A tool failed unexpectedly.", error }),
  });
}
