/** What a provider answers; whatever is not given is as it should be. */
export interface Answers {
  /** Stands in the discovery document. */
  discoveredIssuer?: string;
  claims?: Readonly<Record<string, unknown>>;
  algorithm?: "RS256" | "none";
  /** Signed with a key that the provider does not publish. */
  isForged?: boolean;
  hasNoIdToken?: boolean;
  /** The token endpoint's, instead of its answer. */
  tokenAnswer?: () => Response | Promise<Response>;
  discoveryAnswer?: () => Response | Promise<Response>;
}

/** Looks like nothing that a server logs otherwise. */
export const ACCESS_TOKEN = "an-access-token-of-the-provider";

const RSA = {
  name: "RSASSA-PKCS1-v1_5",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: "SHA-256",
};

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A provider that signs whatever it is told to, without asking anybody who they are. */
export async function startCrookedProvider() {
  const [published, unpublished] = await Promise.all([newKeys(), newKeys()]);
  let answers: Answers = {};
  let nonce = "";
  const requests: { path: string; body: URLSearchParams; authorization: string | null }[] = [];

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request): Promise<Response> {
      const { pathname } = new URL(request.url);
      const body = new URLSearchParams(await request.text());
      requests.push({ path: pathname, body, authorization: request.headers.get("authorization") });
      if (pathname === "/.well-known/openid-configuration") return answers.discoveryAnswer?.() ?? discovery();
      if (pathname === "/jwks") return jwks();
      return answers.tokenAnswer?.() ?? token();
    },
  });
  const issuer: string = `http://127.0.0.1:${server.port}`;

  const discovery = () =>
    Response.json({
      issuer: answers.discoveredIssuer ?? issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    });

  const jwks = async () => {
    const key = await crypto.subtle.exportKey("jwk", published.publicKey);
    return Response.json({ keys: [{ ...key, kid: "one", use: "sig", alg: "RS256" }] });
  };

  async function token(): Promise<Response> {
    const idToken = answers.hasNoIdToken ? {} : { id_token: await signed() };
    return Response.json({ access_token: ACCESS_TOKEN, token_type: "Bearer", expires_in: 600, ...idToken });
  }

  async function signed(): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const standard = { iss: issuer, sub: "ada", aud: "vitrine", iat: now, exp: now + 60, nonce };
    const head = encode({ alg: answers.algorithm ?? "RS256", kid: "one" });
    const text = `${head}.${encode({ ...standard, ...answers.claims })}`;
    if (answers.algorithm === "none") return `${text}.`;
    const { privateKey } = answers.isForged ? unpublished : published;
    const signature = await crypto.subtle.sign(RSA.name, privateKey, Buffer.from(text));
    return `${text}.${Buffer.from(signature).toString("base64url")}`;
  }

  /** What it answers from now on to a browser that it was asked about with this address. */
  function answer(authorizationUrl: string, wanted: Answers = {}): URLSearchParams {
    const asked = new URL(authorizationUrl).searchParams;
    nonce = asked.get("nonce") ?? "";
    answers = wanted;
    return asked;
  }

  return {
    issuer,
    requests,
    answer,
    /** What it answers before anybody has begun to sign in. */
    set: (wanted: Answers) => {
      answers = wanted;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

const newKeys = () => crypto.subtle.generateKey(RSA, true, ["sign", "verify"]);
