import type { Server } from "bun";
import { createClientAddress } from "../../domain/client-address.ts";

/** Whose request it is, for limits. */
export type FindAddress = <Data>(request: Request, server: Server<Data>) => string;

/** Finds the address of whom these proxies, which are addresses or networks, got a request from. */
export function createFindAddress(trustedProxies: readonly string[]): FindAddress {
  const clientAddress = createClientAddress(trustedProxies);
  return (request, server) =>
    clientAddress(server.requestIP(request)?.address ?? "", request.headers.get("x-forwarded-for"));
}
