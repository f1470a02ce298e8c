interface Reply {
  header(name: string, value: string): Reply;
  send(text: string): string;
}

interface ServedRoute {
  url: string;
  handler(request: unknown, reply: Reply): unknown;
}

/** Returns the script of the API reference, which its package only exposes as a Fastify plugin. It is self-contained. */
export async function readReferenceScript(): Promise<string> {
  const { default: register } = await import("@scalar/fastify-api-reference");
  const served: ServedRoute[] = [];
  const server = { initialConfig: {}, route: (route: ServedRoute) => served.push(route) };
  register(server, { configuration: { url: "/" } }, () => undefined);
  const script = served.find(({ url }) => url.endsWith(".js"));
  const reply: Reply = { header: () => reply, send: (text) => text };
  const text = script?.handler({}, reply);
  if (typeof text !== "string") throw new Error("@scalar/fastify-api-reference serves no script.");
  return text;
}
