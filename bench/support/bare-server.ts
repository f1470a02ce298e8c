/** The least that a server on this runtime can be: what it costs to start, and to be there. */
const server = Bun.serve({ hostname: "127.0.0.1", port: Number(process.env.PORT), fetch: () => new Response("") });
process.stderr.write(`${server.port}\n`);
