import { startMailServer } from "../../../../mail/mail-server.ts";
import type { EngineName } from "../../../../support/engines.ts";
import { startService } from "../../../../support/service.ts";
import { use } from "../../../../support/use.ts";
import { type Draw, drawFrom } from "../../draw.ts";
import { type Answer, DOORS, type Question } from "./doors.ts";
import { ENDED_DOORS } from "./ended-doors.ts";
import { GUEST_DOORS } from "./guest-doors.ts";
import type { Report } from "./model.ts";
import { REVIEW_DOORS } from "./review-doors.ts";
import { createScene, type Scene } from "./scene.ts";
import { takeStep } from "./steps.ts";
import { WORKSPACE_DOORS } from "./workspace-doors.ts";

/** Tickets and ended links that are asked for again. Older ones are forgotten. */
const REMEMBERED = 60;

/** Questions asked at once. */
const AT_ONCE = 25;

const doors = Object.entries({ ...DOORS, ...GUEST_DOORS, ...REVIEW_DOORS, ...WORKSPACE_DOORS, ...ENDED_DOORS });

/** Starts a server with people, organizations and mail. */
export const useScene = (engine: EngineName) =>
  use(async () => {
    await using stack = new AsyncDisposableStack();
    const mail = stack.use(await startMailServer());
    const environment = {
      VITRINE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      VITRINE_SMTP_FROM: "Vitrine <vitrine@example.org>",
      // A busy machine closes them later than new ones are asked for.
      VITRINE_SOCKETS_PER_ADDRESS: "0",
    };
    const service = stack.use(await startService({ engine, environment }));
    const scene = await createScene(service, mail);
    const running = stack.move();
    return { scene, [Symbol.asyncDispose]: () => running.disposeAsync() };
  });

interface Counted {
  questions: number;
  byDoor: Record<string, number>;
  wrong: string[];
}

/** Changes what is shared with whom and asks who may read it, until there were enough questions. */
export async function askRandomly(
  scene: Scene,
  seed: number,
  { most, perChange }: { most: number; perChange: number },
): Promise<Counted> {
  const draw = drawFrom(seed);
  const counted: Counted = { questions: 0, byDoor: {}, wrong: [] };
  const trail: string[] = [];
  while (counted.questions < most) {
    const { name, report } = await takeStep(scene, draw);
    trail.push(`${name} ${report?.name ?? report?.current ?? ""}`);
    forget(scene);
    for (let asked = 0; asked < perChange; asked += AT_ONCE) {
      const asking = Array.from({ length: AT_ONCE }, () => askOne(scene, draw, report, counted));
      const wrong = (await Promise.all(asking)).filter((mistake) => mistake !== undefined);
      counted.wrong.push(...wrong.map((mistake) => `${mistake}\nafter ${trail.slice(-5).join(", ")}`));
    }
  }
  return counted;
}

/** Asks one question. Returns what is wrong with the answer. */
async function askOne(
  scene: Scene,
  draw: Draw,
  touched: Report | undefined,
  counted: Counted,
): Promise<string | undefined> {
  const question = drawQuestion(scene, draw, touched);
  const [name, door] = draw.one(doors) ?? [];
  const answer = question && door && (await untilAnswered(() => door(question)));
  if (name === undefined || question === undefined || answer === undefined) return undefined;
  counted.questions++;
  counted.byDoor[name] = (counted.byDoor[name] ?? 0) + 1;
  if (Bun.deepEquals(answer.expected, answer.observed)) return undefined;
  const { person, report, version } = question;
  return `${name}, person ${person}: ${JSON.stringify({ ...answer, report, version, roles: scene.world.roles }, readable)}`;
}

/** Asks again while the server can't answer, which says nothing about who may read what. */
async function untilAnswered(ask: () => Promise<Answer | undefined>): Promise<Answer | undefined> {
  for (;;) {
    try {
      const answer = await ask();
      if (!isBusy(answer?.observed)) return answer;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }
}

/** Tells a server that is overloaded, or that hears the other replicas late, by its words. */
const isBusy = (answer: unknown): boolean =>
  /The server is overloaded|Live updates are unavailable right now/.test(String(answer));

const readable = (_key: string, value: unknown) => (value instanceof Set ? [...value] : value);

/** Asks about what was changed, about what no longer exists, or about anything. */
function drawQuestion(scene: Scene, draw: Draw, touched: Report | undefined): Question | undefined {
  const person = draw.one(scene.readers.map((_, number) => number));
  const purged = draw.onceIn(20) ? draw.one(scene.purged) : undefined;
  const report = purged?.report ?? (draw.onceIn(2) ? touched : undefined) ?? draw.one(scene.world.reports);
  const version = purged?.version ?? (report && draw.one(report.versions));
  return person === undefined || report === undefined || version === undefined
    ? undefined
    : { scene, draw, person, report, version };
}

/** Forgets the oldest tickets, links and permanently deleted reports. */
function forget({ tickets, links, purged }: Scene): void {
  for (const list of [tickets, links, purged]) list.splice(0, Math.max(0, list.length - REMEMBERED));
}
