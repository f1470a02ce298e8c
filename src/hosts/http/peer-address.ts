import type { Server } from "bun";
import { createClientAddress } from "../../domain/client-address.ts";

/** Returns the client's address of a request, for limits. */
export type FindAddress = <Data>(request: Request, server: Server<Data>) => string;

/** Creates a function that finds the client's address behind trusted proxies, given as addresses or networks. */
export function createFindAddress(trustedProxies: readonly string[]): FindAddress {
  const clientAddress = createClientAddress(trustedProxies);
  return (request, server) =>
    clientAddress(server.requestIP(request)?.address ?? "", request.headers.get("x-forwarded-for"));
}
