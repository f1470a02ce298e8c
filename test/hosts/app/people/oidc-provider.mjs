import { createServer } from "node:http";
import { Provider } from "oidc-provider";

// A real OpenID Connect provider in a separate process. `PUT /test/people/{login}` sets the claims about a person, as a
// JSON object; anyone can sign in there with any password. `GET /test/traces` returns the paths of the requests of each
// trace.

const { CLIENT_ID, CLIENT_SECRET, CALLBACK_PATH } = process.env;
const people = new Map();
const traces = {};

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      { client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [`http://localhost${CALLBACK_PATH}`] },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "preferred_username"] },
    pkce: { required: () => true },
    cookies: { keys: ["test"] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_context, login) => ({ accountId: login, claims: () => ({ sub: login, ...people.get(login) }) }),
  });
  // The ports of servers under test are not known in advance.
  provider.Client.prototype.redirectUriAllowed = (uri) => {
    const { hostname, pathname, search } = new URL(uri);
    return hostname === "localhost" && pathname === CALLBACK_PATH && search === "";
  };
  const handle = provider.callback();
  server.on("request", (request, response) => {
    const [, login] = /^\/test\/people\/([^/]+)$/.exec(request.url) ?? [];
    if (request.url === "/test/traces") return response.end(JSON.stringify(traces));
    const [, trace] = request.headers.traceparent?.split("-") ?? [];
    if (trace !== undefined) traces[trace] = [...(traces[trace] ?? []), request.url];
    if (login === undefined) return handle(request, response);
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      people.set(decodeURIComponent(login), JSON.parse(body));
      response.writeHead(204).end();
    });
  });
  process.stdout.write(`${issuer}\n`);
});
