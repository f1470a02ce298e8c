import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** An agent that runs in a page, as the clients of web apps do: the SDK of MCP with everything that it remembers in the page. */
const SCRIPT = `
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const keep = (name, value) => sessionStorage.setItem(name, JSON.stringify(value));
const kept = (name) => JSON.parse(sessionStorage.getItem(name) ?? "null") ?? undefined;
const redirectUrl = location.origin + "/callback";
const authProvider = {
  redirectUrl,
  clientMetadata: { client_name: "Web agent", redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
  clientInformation: () => kept("client"),
  saveClientInformation: (client) => keep("client", client),
  tokens: () => kept("tokens"),
  saveTokens: (tokens) => keep("tokens", tokens),
  codeVerifier: () => kept("verifier"),
  saveCodeVerifier: (verifier) => keep("verifier", verifier),
  redirectToAuthorization: (url) => location.assign(url),
};
const asked = new URLSearchParams(location.search);
if (asked.has("server")) keep("server", asked.get("server"));
const connectTo = () => new StreamableHTTPClientTransport(new URL(kept("server")), { authProvider });
const show = (text) => { document.body.append(Object.assign(document.createElement("p"), { textContent: text })); };
try {
  if (asked.has("code")) await connectTo().finishAuth(asked.get("code"));
  const client = new Client({ name: "web-agent", version: "1" });
  await client.connect(connectTo());
  const { content } = await client.callTool({ name: "list_workspaces", arguments: {} });
  show(content[0].text);
} catch (error) {
  if (!(error instanceof UnauthorizedError)) show("Failed: " + error);
}
`;

/** Serves the page of an agent, on an origin of its own. Its query names the server to connect to. */
export async function serveWebAgent() {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-agent-"));
  await symlink(PACKAGES, join(directory, "node_modules"));
  await Bun.write(join(directory, "agent.js"), SCRIPT);
  const built = await Bun.build({ entrypoints: [join(directory, "agent.js")], target: "browser", minify: true });
  const [script] = built.outputs;
  if (script === undefined) throw new Error("The agent's script wasn't built.");
  const text = await script.text();
  const server = Bun.serve({
    hostname: "localhost",
    port: 0,
    fetch: ({ url }) =>
      new URL(url).pathname === "/agent.js"
        ? new Response(text, { headers: { "Content-Type": "text/javascript" } })
        : new Response('<!doctype html><title>Agent</title><body><script type="module" src="/agent.js"></script>', {
            headers: { "Content-Type": "text/html" },
          }),
  });
  return {
    url: `http://localhost:${server.port}/`,
    async [Symbol.asyncDispose]() {
      await server.stop(true);
      await rm(directory, { recursive: true });
    },
  };
}
