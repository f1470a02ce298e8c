import type { Administer, Administration } from "../cli/administration.ts";
import { operatorOfCommand } from "../domain/model/access.ts";
import { parseDuration } from "../domain/model/durations.ts";
import { createAdministration } from "../domain/operations/administration.ts";
import { createAccounts } from "../domain/people/accounts.ts";
import { createTokens } from "../domain/tokens/tokens.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import type { Store } from "../store/store.ts";
import { openStore, prepareDataDir } from "./open.ts";
import { clock, passwords, random } from "./ports.ts";
import { createRemoteEvents, type RemoteEvents } from "./remote-events.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens the database for an administration command, and tells running servers what the command has changed. */
export function createAdminister(environment: Environment): Administer {
  return async (work) => {
    const settings = readSettings(environment);
    await prepareDataDir(settings);
    const store = await openStore(settings);
    const events = createRemoteEvents(settings);
    try {
      return await work(createCommands(store, settings, events));
    } finally {
      await events.close();
      await store.close();
    }
  };
}

function createCommands(store: Store, { defaultPlan }: Settings, events: RemoteEvents): Administration {
  const by = operatorOfCommand();
  const accounts = createAccounts({ store, clock, random, passwords, defaultPlan });
  const tokens = createTokens({ store, clock, random });
  const administration = createAdministration({ store, events, clock });
  return {
    ...accounts,
    createToken: ({ expires, ...wanted }) =>
      tokens.create({ ...wanted, expiresIn: expires === undefined ? undefined : parseDuration(expires) }),
    listTokens: tokens.list,
    revokeToken: tokens.revoke,
    grantOperator: (slug) => administration.grantOperator(by, slug),
    revokeOperator: (slug) => administration.revokeOperator(by, slug),
  };
}
