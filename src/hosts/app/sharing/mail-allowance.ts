import type { Clock } from "../../../domain/model/ports.ts";
import { createWindows } from "../../http/windows.ts";

const HOUR = 60 * 60_000;
/** Mails that one user can cause in an hour by sharing. */
const MAILS_PER_HOUR = 200;

/** Creates the count of mails that each user may still cause. */
export function createMailAllowance(clock: Clock) {
  const mails = createWindows({ length: HOUR, clock });
  return {
    leftFor: (userId: string): number => Math.max(0, MAILS_PER_HOUR - mails.count(userId)),
    use: (userId: string, count: number): void => void mails.add(userId, count),
  };
}

export type MailAllowance = ReturnType<typeof createMailAllowance>;
