import type { Server } from "bun";

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/**
 * Whose request it is. A peer on this machine is taken for a reverse proxy if it names somebody: what it added to
 * `X-Forwarded-For` stands last there. From any other peer that header is the sender's own invention.
 */
export function peerAddress<Data>(request: Request, server: Server<Data>): string {
  const peer = server.requestIP(request)?.address ?? "";
  if (!LOOPBACK.test(peer)) return peer;
  return request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() || peer;
}
