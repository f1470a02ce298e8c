import { escapeHtml } from "../../src/look/html.ts";

/** Starts another site, whose pages frame any address. It is none of the service's: browsers call its frames third-party. */
export async function startEmbedder() {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const addresses = new URL(request.url).searchParams.getAll("src");
      const frames = addresses.map((src) => `<iframe src="${escapeHtml(src)}" width="900" height="500"></iframe>`);
      // The title says what the framed pages have told.
      const body = `<!doctype html><title>Waiting</title><h1>Another site</h1>
        <script>addEventListener("message", ({ data }) => { document.title += " " + data })</script>${frames.join("")}`;
      return new Response(body, { headers: { "Content-Type": "text/html" } });
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    origin,
    /** Returns the address of a page that frames these addresses. */
    pageFor: (...addresses: string[]) =>
      `${origin}/?${addresses.map((src) => `src=${encodeURIComponent(src)}`).join("&")}`,
    [Symbol.asyncDispose]: async () => void (await server.stop(true)),
  };
}
