import { expect, test } from "bun:test";
import { createShell } from "../../cli/commands.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { useService } from "../../support/service.ts";
import { post } from "../../support/sessions.ts";
import { createPrivateScene } from "./private-scene.ts";

describeEachEngine("disabling a user with a command", (engine) => {
  const service = useService({ engine });

  test("cuts off open sockets, sessions, tickets and tokens of a running server, and no public report", async () => {
    const { database } = service;
    const run = createShell({
      VITRINE_DATA_DIR: database.dataDir,
      ...(database.databaseUrl === undefined ? {} : { VITRINE_DATABASE_URL: database.databaseUrl }),
    });
    const { act, readers, owner, follow, publishNamed, shows } = await createPrivateScene(service);
    const { slug, email } = owner;
    const { name } = await publishNamed();
    const { code } = await publishNamed("public");
    const reader = await follow(name, owner);
    const hello = await reader.next();
    const src = hello.type === "gone" ? "" : hello.src;
    const statuses = async () => ({
      list: (await fetch(`${service.baseUrl}/api/list`, { headers: { Authorization: `Bearer ${owner.token}` } }))
        .status,
      ticket: (await fetch(src)).status,
      page: await shows(name, owner),
      open: (await readers.open(`/${code}/`, undefined)).status,
      publicFile: (await fetch(`${service.contentUrl}/${code}/`)).status,
      signIn: (await post(service, "/api/auth/sign-in/email", { email, password: "correct horse" })).status,
    });
    const before = await statuses();
    expect(before).toMatchObject({ list: 200, ticket: 200, page: true, publicFile: 200, signIn: 200 });
    expect(await run("users", "disable", slug)).toMatchObject({ error: undefined });
    // A command that joins the replicas may make them repeat the version first.
    expect((await reader.ended).code).toBe(1000);
    expect(reader.messages.at(-1)).toEqual({ type: "gone" });
    expect(await statuses()).toEqual({ ...before, list: 401, ticket: 404, page: false, signIn: 403 });
    await run("users", "enable", slug);
    expect(await statuses()).toMatchObject({ list: 200, ticket: 404, signIn: 200 });
    expect((await act.publish(owner.token, { name })).code).toBeString();
  });
});
