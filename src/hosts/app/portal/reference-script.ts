interface Reply {
  header(name: string, value: string): Reply;
  send(text: string): string;
}

interface ServedRoute {
  url: string;
  handler(request: unknown, reply: Reply): unknown;
}

/** The script of the reference, which its package has for servers of another kind. It loads nothing and needs no other. */
export async function readReferenceScript(): Promise<string> {
  const { default: register } = await import("@scalar/fastify-api-reference");
  const served: ServedRoute[] = [];
  const server = { initialConfig: {}, route: (route: ServedRoute) => served.push(route) };
  register(server, { configuration: { url: "/" } }, () => undefined);
  const script = served.find(({ url }) => url.endsWith(".js"));
  const reply: Reply = { header: () => reply, send: (text) => text };
  const text = script?.handler({}, reply);
  if (typeof text !== "string") throw new Error("The API reference has no script.");
  return text;
}
