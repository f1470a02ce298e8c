import type { Events } from "../model/events.ts";
import type { Addresses } from "../model/links.ts";
import type { Clock, Random } from "../model/ports.ts";
import type { TokenStore } from "../tokens/ports.ts";
import { createClients } from "./clients.ts";
import { createDevices } from "./devices.ts";
import { createGrants } from "./grants.ts";
import type { FetchClientDocument, OAuthStore } from "./ports.ts";
import { createRequestReader } from "./requests.ts";

interface Dependencies {
  store: { oauth: OAuthStore; tokens: TokenStore };
  addresses: Addresses;
  fetchClientDocument: FetchClientDocument;
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
}

/** Creates the services with which programs get access tokens without seeing a password. */
export function createService(dependencies: Dependencies) {
  const clients = createClients(dependencies);
  const readRequest = createRequestReader({ clients, baseUrl: dependencies.addresses.baseUrl });
  return { clients, readRequest, grants: createGrants(dependencies), devices: createDevices(dependencies) };
}
