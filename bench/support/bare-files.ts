import { z } from "zod";

/** The least that a server on this runtime does to answer with these bytes and headers, found by URL: the floor of serving. */
const fileSchema = z.object({
  path: z.string(),
  file: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
});
const files = z.array(fileSchema).parse(JSON.parse(process.env.FILES ?? ""));

const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
const prepared = await Promise.all(files.map(prepare));
const answers = new Map(prepared.map(({ url, answer: known }) => [url, known]));
process.stdout.write(`${server.port}\n`);

async function prepare({ path, file, headers }: z.infer<typeof fileSchema>) {
  const whole = new Response(null, { headers });
  const notModified = new Response(null, { status: 304, headers });
  const answer = {
    blob: new Blob([await Bun.file(file).bytes()]),
    whole,
    notModified,
    etag: whole.headers.get("etag"),
  };
  return { url: new URL(path, server.url).href, answer };
}

function answer({ url, headers }: Request): Response {
  const found = answers.get(url);
  if (found === undefined) return new Response(null, { status: 404 });
  const isKnown = headers.get("if-none-match") === found.etag;
  return isKnown ? new Response(null, found.notModified) : new Response(found.blob, found.whole);
}
