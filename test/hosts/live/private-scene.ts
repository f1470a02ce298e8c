import { readersOf } from "../../support/readers.ts";
import { type Service, uniqueName } from "../../support/service.ts";
import { signIn } from "../../support/sessions.ts";
import { actionsOf } from "../app/actions.ts";
import { readLive } from "./readers.ts";

/** People who are signed in, and live links that not everybody may open. */
export async function createPrivateScene(service: Service) {
  const act = actionsOf(service);
  const readers = readersOf(service);
  const [owner, stranger] = await Promise.all([readers.person(), readers.person()]);

  const linkOf = (name: string) => `${service.baseUrl}/${name}/`;
  const follow = (name: string, { cookie }: { cookie: string }) => readLive(linkOf(name), { Cookie: cookie });

  async function publishNamed(visibility: "private" | "org" | "public" = "private", token = owner.token) {
    const name = uniqueName();
    const { code, nameUrl = "" } = await act.publish(token, { name, visibility, title: "First" });
    return { name, code, nameUrl };
  }

  /** An organization, and in it a report of each visibility that one plain member has made. */
  async function buildOrganization() {
    const { slug, owner: chief, members } = await service.build.organization({ roles: ["member", "member", "admin"] });
    const [author, member, admin] = members;
    if (author === undefined || member === undefined || admin === undefined) throw new Error("There are no members.");
    const signedIn = async (user: { slug: string; token: string }) => {
      const email = `${user.slug}@example.org`;
      return { ...user, email, cookie: await signIn(service, { email }) };
    };
    return {
      slug,
      chief: await signedIn(chief),
      author: await signedIn(author),
      member: await signedIn(member),
      admin: await signedIn(admin),
      isPrivate: await publishNamed("private", author.token),
      isShared: await publishNamed("org", author.token),
    };
  }

  const shows = async (name: string, { cookie }: { cookie: string | undefined }) =>
    (await readers.open(`/${name}/`, cookie)).status === 200;

  return { service, act, readers, owner, stranger, linkOf, follow, publishNamed, buildOrganization, shows };
}

export type PrivateScene = Awaited<ReturnType<typeof createPrivateScene>>;
