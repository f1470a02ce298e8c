import type { SharingMail } from "../domain/sharing/ports.ts";
import { compose, oneLine, type SendMail } from "./compose.ts";

/** Creates the mails about sharing. `baseUrl` is the address of this server. */
export function createSharingMail(send: SendMail, baseUrl: string): SharingMail {
  const { host } = new URL(baseUrl);
  return {
    sendShared: ({ to, sharer, title, url }) =>
      send({
        to,
        ...compose(`${oneLine(sharer)} shared "${oneLine(title)}" with you`, [
          `${oneLine(sharer)} shared the report "${oneLine(title)}" with you on ${host}. To open it, sign in as ${to}:`,
          { url },
          "Anyone who can share the report can also stop sharing it.",
        ]),
      }),
    sendSharedMany({ to, sharer, count, url }) {
      const what = count === 1 ? "a report" : `${count} reports`;
      return send({
        to,
        ...compose(`${oneLine(sharer)} shared ${what} with you`, [
          `${oneLine(sharer)} shared ${what} with you on ${host}. To see what is shared with you, sign in as ${to}:`,
          { url },
          "Anyone who can share a report can also stop sharing it.",
        ]),
      });
    },
    sendAccessRequest: ({ to, person, title, message, url }) =>
      send({
        to,
        ...compose(`${person} asks for access to "${oneLine(title)}"`, [
          `${person} asks to read your report "${oneLine(title)}" on ${host}.`,
          ...(message === null ? [] : [`Their message: ${oneLine(message)}`]),
          "To accept or decline, open your requests:",
          { url },
        ]),
      }),
  };
}
