import { auth } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startService } from "../../../support/service.ts";
import { startAppSite } from "./app-site.ts";
import { createProvider, oauthActions, REDIRECT } from "./oauth-support.ts";

/** The address of app.example, which is public. Run this script only in a network namespace of its own. */
const [, , hostname = ""] = process.argv;

let fetched = 0;
await using site = await startAppSite(
  ({ url: client_id }) => {
    fetched++;
    return Response.json({ client_id, client_name: "Documented agent", redirect_uris: [REDIRECT] });
  },
  { hostname, port: 443 },
);
await using service = await startService({ environment: { NODE_EXTRA_CA_CERTS: site.certificate } });
const act = oauthActions(service);
const url = new URL("/mcp", service.baseUrl);
const provider = Object.assign(createProvider(), { clientMetadataUrl: site.url("/client.json").href });
await auth(provider, { serverUrl: url });
const request = Object.fromEntries(provider.opened?.searchParams ?? []);
const person = await act.person();
const consent = await fetch(provider.opened?.href ?? "", { headers: { Cookie: person.cookie } });
const back = await act.allow(person, request.client_id ?? "", request);
const first = new StreamableHTTPClientTransport(url, { authProvider: provider });
await first.finishAuth(back.searchParams.get("code") ?? "");
const client = new Client({ name: "test", version: "1" });
await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
const { tools } = await client.listTools();
await client.close();
console.log(
  JSON.stringify({ clientId: request.client_id, consent: await consent.text(), tools: tools.length, fetched }),
);
