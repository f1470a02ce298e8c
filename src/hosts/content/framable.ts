import type { Addresses } from "../../domain/model/links.ts";
import { framedPolicy } from "./headers.ts";

/** Lets pages of other sites frame a report's document. Every page around a frame has to be named. */
export async function framable(
  plain: Response | Promise<Response>,
  addresses: Addresses,
  origins: readonly string[],
): Promise<Response> {
  const { body, status, headers: known } = await plain;
  const headers = new Headers(known);
  headers.set("Content-Security-Policy", framedPolicy(addresses, origins));
  return new Response(body, { status, headers });
}
