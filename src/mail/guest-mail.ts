import type { GuestMail } from "../domain/sharing/guest-ports.ts";
import { compose, type SendMail } from "./compose.ts";

/** Creates the mails to people who open guest links. `baseUrl` is the address of this server. */
export function createGuestMail(send: SendMail, baseUrl: string): GuestMail {
  const { host } = new URL(baseUrl);
  return {
    sendGuestCode: ({ to, code, title, publisher }) =>
      send({
        to,
        ...compose(`Your code to open a report on ${host}`, [
          `${publisher} shares the report "${title}" with you. To open it, enter this code on the page that asks for it:`,
          code,
          "The code works once and expires in 10 minutes. If you didn't try to open the report, ignore this mail. Don't give the code to anyone.",
        ]),
      }),
  };
}
