import type { CommentsMail, InboxRecord } from "../domain/reviews/ports.ts";
import { compose, oneLine, type Paragraph, type SendMail } from "./compose.ts";

/** Entries that one mail names. */
const NAMED = 20;
/** Characters of a comment that a mail shows. */
const EXCERPT = 300;

/** Creates the mails about comments. `baseUrl` is the address of this server. */
export function createCommentsMail(send: SendMail, baseUrl: string): CommentsMail {
  const { host } = new URL(baseUrl);
  return {
    sendDigest: ({ to, entries, offUrl }) => {
      const count = entries.length === 1 ? "1 unread comment" : `${entries.length} unread comments`;
      const inbox = `${baseUrl}/-/inbox`;
      return send({
        to,
        ...compose(`You have ${count} on ${host}`, [
          ...entries.slice(0, NAMED).flatMap((entry) => describe(entry, baseUrl)),
          ...(entries.length > NAMED ? ["The others are in your inbox:", { url: inbox }] : []),
          "To get no more mail about comments, turn it off in your account:",
          { url: `${baseUrl}/-/account` },
        ]),
        headers: { "List-Unsubscribe": `<${offUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
      });
    },
  };
}

const VERBS = { mention: "mentioned you in", reply: "replied in", comment: "commented on" } as const;

function describe({ kind, author, title, text, versionCode }: InboxRecord, baseUrl: string): Paragraph[] {
  const who = oneLine(author.name ?? "Someone");
  const said = oneLine(text);
  const excerpt = said.length > EXCERPT ? `${said.slice(0, EXCERPT)}…` : said;
  return [`${who} ${VERBS[kind]} "${oneLine(title)}": ${excerpt}`, { url: `${baseUrl}/${versionCode}/` }];
}
