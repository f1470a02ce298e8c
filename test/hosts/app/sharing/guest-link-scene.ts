import type { EngineName } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { use } from "../../../support/use.ts";
import { actionsOf } from "../actions.ts";
import { guestsOf } from "./guests.ts";

/** Creates a service with an organization and a stranger, and functions with which a member shares reports. */
export function createGuestLinkScene(engine: EngineName) {
  const service = useService({ engine });
  const act = actionsOf(service);
  const guests = guestsOf(service);
  const organization = use(() => service.build.organization({ roles: ["member", "member"] }));
  const tokens = use(async () => {
    const [author, member] = organization.members;
    const stranger = await service.build.user();
    return {
      owner: organization.owner.token,
      author: author?.token ?? "",
      member: member?.token ?? "",
      stranger: stranger.token,
    };
  });

  async function given(visibility: "private" | "org" | "public" = "org") {
    const name = uniqueName();
    const { code } = await act.publish(tokens.author, { name, title: "Figures", visibility });
    return { name, code };
  }
  const withLink = async () => {
    const report = await given();
    return { ...report, ...(await guests.create(tokens.author, { name: report.name, label: "Board" })) };
  };
  const linksTo = (name: string) => guests.list(tokens.author, { name });

  return { service, act, guests, organization, tokens, given, withLink, linksTo };
}
