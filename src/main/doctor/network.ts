import type { Finding } from "../../cli/doctor.ts";
import type { Settings } from "../../settings/settings.ts";
import { ok, problem, reasonOf, warning } from "./findings.ts";

const PATIENCE = 5_000;
const READY = "/-/ready";
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Checks the ports, the public addresses, the mail server and the sign-in service. */
export async function* examineNetwork(settings: Settings): AsyncGenerator<Finding> {
  const { port, contentPort } = settings;
  const isServed = yield* examinePort(settings, "VITRINE_PORT", port);
  yield* examinePort(settings, "VITRINE_CONTENT_PORT", contentPort);
  yield* examineAddresses(settings);
  const baseUrl = settings.baseUrl ?? `http://localhost:${port}`;
  const contentUrl = settings.contentUrl ?? `http://127.0.0.1:${contentPort}`;
  if (port !== 0 || settings.baseUrl !== undefined) yield await examineUrl("VITRINE_BASE_URL", baseUrl, isServed);
  if (contentPort !== 0 || settings.contentUrl !== undefined) {
    yield await examineUrl("VITRINE_CONTENT_URL", contentUrl, isServed);
  }
  if (settings.smtp !== undefined) yield await examineMail(settings.smtp);
  if (settings.oidc !== undefined) yield await examineSignIn(settings.oidc.issuer);
}

/** Returns whether a Vitrine server answers on the port. */
async function* examinePort(settings: Settings, name: string, port: number): AsyncGenerator<Finding, boolean> {
  const part = `port ${port}`;
  if (port === 0) {
    yield ok(name, "Any free port.");
    return false;
  }
  for (const host of settings.hosts) {
    const blocker = tryPort(host, port);
    if (blocker === undefined) continue;
    if (blocker === "EADDRINUSE") {
      const isVitrine = await answersAsVitrine(`http://${inUrl(host)}:${port}`);
      yield isVitrine
        ? ok(part, "A Vitrine server is listening.")
        : problem(
            part,
            "Another program is using it, or a Vitrine server that doesn't answer.",
            `Stop that program, or set ${name} to another port.`,
          );
      return isVitrine;
    }
    if (blocker === "EADDRNOTAVAIL") {
      // Machines without IPv6 have no ::1, and the server does without it.
      if (settings.hosts.length > 1) continue;
      yield problem(part, `"${host}" isn't an address of this machine.`, "Correct VITRINE_HOST.");
      return false;
    }
    yield problem(part, `This user may not listen on it (${blocker}).`, `Set ${name} to a port above 1023.`);
    return false;
  }
  yield ok(part, "It is free. No server is running here.");
  return false;
}

/** Returns the error code that listening fails with, or undefined if it works. */
function tryPort(hostname: string, port: number): string | undefined {
  try {
    Bun.listen({ hostname, port, exclusive: true, socket: { data: () => undefined } }).stop(true);
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "EUNKNOWN";
  }
}

/** Returns the address of this machine at which a server that binds the host answers. */
function inUrl(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

async function answersAsVitrine(baseUrl: string): Promise<boolean> {
  return (await ask(baseUrl).catch(() => undefined))?.isVitrine === true;
}

/** Asks a server whether it is ready. Rejects if it can't be reached. */
async function ask(baseUrl: string) {
  const signal = AbortSignal.timeout(PATIENCE);
  const response = await fetch(baseUrl + READY, { signal, redirect: "manual" });
  const answer: unknown = await response.json().catch(() => undefined);
  const isObject = typeof answer === "object" && answer !== null;
  const isVitrine = isObject && ("ready" in answer || ("error" in answer && String(answer.error).includes("ready")));
  return { isVitrine, status: response.status, date: response.headers.get("date") };
}

async function* examineAddresses({ baseUrl, contentUrl, hosts }: Settings): AsyncGenerator<Finding> {
  const isPublic = !hosts.every((host) => host === "::1" || host.startsWith("127."));
  for (const [name, url] of [
    ["VITRINE_BASE_URL", baseUrl],
    ["VITRINE_CONTENT_URL", contentUrl],
  ] as const) {
    if (url === undefined && isPublic) {
      yield warning(
        name,
        "It isn't set, so links in reports, mails and the portal lead to this machine only.",
        `Set ${name} to the address that people use.`,
      );
    } else if (url?.startsWith("http:") && !LOOPBACK.test(new URL(url).hostname)) {
      yield warning(
        name,
        `${url} is not encrypted, so passwords and sessions can be read on the network.`,
        "Use an https:// address, with a reverse proxy such as nginx or Caddy in front of Vitrine.",
      );
    }
  }
  if (baseUrl !== undefined && contentUrl !== undefined) {
    yield ok("addresses", `${baseUrl} and ${contentUrl} have different host names.`);
  }
}

async function examineUrl(name: string, url: string, isServed: boolean): Promise<Finding> {
  try {
    const { isVitrine, status } = await ask(url);
    if (isVitrine && status === 200) return ok(name, `${url} answers and is ready.`);
    if (isVitrine) {
      return problem(name, `${url} answers, but the server isn't ready.`, `Run: curl ${url}${READY}?verbose`);
    }
    const advice = isServed
      ? "Check that the reverse proxy passes requests to the ports above."
      : "Start the server. If it runs on another machine, check the reverse proxy.";
    return problem(name, `${url} answers with status ${status}, and not like Vitrine.`, advice);
  } catch (error) {
    const { reason, advice, isRefused } = explain(error, new URL(url).hostname);
    const detail = `${url} can't be reached from here: ${reason}`;
    // Without a server, a refused connection is to be expected.
    return isRefused && !isServed ? warning(name, detail, NOT_RUNNING) : problem(name, detail, advice);
  }
}

const NOT_RUNNING = "Start the server, then run vitrine doctor again.";

interface Explained {
  reason: string;
  advice: string;
  isRefused?: boolean;
}

function explain(error: unknown, host: string): Explained {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = reasonOf(error);
  if (/ENOTFOUND|EAI_AGAIN|DNS|getaddrinfo/i.test(`${code} ${reason}`)) {
    return { reason: `the name ${host} isn't known.`, advice: `Add a DNS record for ${host}.` };
  }
  if (/CERT|SSL|TLS|certificate/i.test(`${code} ${reason}`)) {
    return { reason, advice: `Renew or correct the certificate of ${host} at the reverse proxy.` };
  }
  if (/REFUSED/i.test(`${code} ${reason}`)) {
    return {
      reason: "the connection is refused.",
      advice: "Start the reverse proxy, and check that the firewall lets requests through.",
      isRefused: true,
    };
  }
  return { reason, advice: "Check the DNS record, the firewall and the reverse proxy." };
}

async function examineMail(smtp: NonNullable<Settings["smtp"]>): Promise<Finding> {
  const { checkSmtp } = await import("../../mail/smtp.ts");
  const place = `${smtp.host}:${smtp.port}`;
  try {
    await checkSmtp(smtp);
    return ok("mail", `${place} accepts mail from this server.`);
  } catch (error) {
    return problem(
      "mail",
      `${place} can't be used: ${reasonOf(error)}`,
      "Check VITRINE_SMTP_URL, its user and password, and the certificate of the mail server.",
    );
  }
}

async function examineSignIn(issuer: string): Promise<Finding> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE) });
    if (response.ok) return ok("single sign-on", `${issuer} answers.`);
    return problem(
      "single sign-on",
      `${address} answers with status ${response.status}.`,
      "Check VITRINE_OIDC_ISSUER.",
    );
  } catch (error) {
    return problem(
      "single sign-on",
      `${address} can't be reached: ${reasonOf(error)}`,
      "Check VITRINE_OIDC_ISSUER and the network.",
    );
  }
}
