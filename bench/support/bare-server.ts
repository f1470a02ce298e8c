/** The smallest server on this runtime, whose start time and memory are a floor. */
const server = Bun.serve({ hostname: "127.0.0.1", port: Number(process.env.PORT), fetch: () => new Response("") });
process.stderr.write(`${server.port}\n`);
