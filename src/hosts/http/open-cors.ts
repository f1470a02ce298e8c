/**
 * Lets pages of every site call an endpoint that ignores cookies. Browsers then send no cookies, and no other site knows the
 * access tokens of its users.
 */
export const OPEN_CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "WWW-Authenticate, Retry-After, X-Request-Id",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** Answers a preflight request. All headers are allowed, since each version of MCP adds some; the asterisk leaves out Authorization. */
export const allowEverySite = (methods: string): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...OPEN_CORS,
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": "Authorization, *",
      "Access-Control-Max-Age": "7200",
    },
  });
