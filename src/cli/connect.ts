import { createClient } from "../client/client.ts";
import { CommandError } from "./output.ts";

/** A client of the server at the address that a command's flag names, or else the setting. Throws `CommandError`. */
export function connect({ url, token }: { url: string; token: string | undefined }) {
  return (flag: string | undefined) => {
    const baseUrl = flag ?? url;
    if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
      const name = flag === undefined ? "VITRINE_URL" : "--url";
      throw new CommandError(`${name} must be an address such as http://localhost:4000, not "${baseUrl}".`, 2);
    }
    if (token !== undefined && !/^[!-~]+$/.test(token)) {
      throw new CommandError("VITRINE_TOKEN must be a token as `vitrine tokens create` prints it.", 2);
    }
    return { client: createClient({ baseUrl, token }), baseUrl };
  };
}
