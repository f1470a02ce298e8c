import { z } from "zod";
import {
  FILE_PATH_CHARACTERS,
  FILES_PER_UPLOAD,
  FOLDER_LABEL_CHARACTERS,
  TITLE_CHARACTERS,
} from "../../domain/model/limits.ts";
import { FILE_PATH_PATTERN, REQUEST_KEY_PATTERN } from "../../domain/model/names.ts";
import {
  code,
  expectedCode,
  groupName,
  instant,
  nothing,
  soughtCode,
  soughtOwner,
  storageMode,
  text,
  visibility,
} from "../model/common.ts";
import { defineRoute } from "../model/route.ts";

/** Makes a field that may be left out or null: programs that always send every field send null for "not given". */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

const file = z
  .object({
    path: z.string().meta({
      description: "A bare file name of letters, digits, dots, underscores and hyphens; no directories.",
      pattern: FILE_PATH_PATTERN.source,
      maxLength: FILE_PATH_CHARACTERS,
      examples: ["index.html"],
    }),
    content: z.string().meta({ description: "The text, or base64 when `encoding` says so. At most 10 MB decoded." }),
    encoding: optional(z.enum(["utf-8", "base64"])).meta({ description: "`utf-8` unless given." }),
  })
  .meta({ id: "File" });

const details = z.object({
  name: groupName,
  owner: soughtOwner.meta({
    description: "Slug of the workspace that it goes to; the token's unless given, for a session the user's.",
  }),
  title: text(TITLE_CHARACTERS).meta({ description: "The document's own title unless given." }),
  folder: text(FOLDER_LABEL_CHARACTERS).meta({
    description: "Files a new report: `Drawer/Folder`, or `Folder` at the root.",
    examples: ["Sales/2026"],
  }),
  visibility: visibility.meta({
    description: "`private` unless given. A new version takes its group's visibility.",
  }),
  storage: storageMode.meta({
    description:
      "`none` unless given. With `memory`, pages that browsers open have `localStorage`, `sessionStorage` and `document.cookie`, which forget with the page; files that are read back are as they were uploaded.",
  }),
});

/** What an upload says beside its files, in a form. */
export const uploadDetails = details.partial().extend({ expected_current_code: expectedCode });

const body = z
  .object({
    files: z
      .array(file)
      .min(1, "must have at least one entry")
      .max(FILES_PER_UPLOAD, `must have at most ${FILES_PER_UPLOAD} entries`)
      .meta({ description: "Exactly one of them has the path `index.html`." }),
    name: optional(details.shape.name),
    expected_current_code: expectedCode,
    owner: optional(details.shape.owner),
    title: optional(details.shape.title),
    folder: optional(details.shape.folder),
    visibility: optional(details.shape.visibility),
    storage: optional(details.shape.storage),
  })
  .meta({
    id: "Upload",
    examples: [
      {
        name: "weekly-sales",
        visibility: "public",
        files: [
          { path: "index.html", content: "<!doctype html><title>Sales</title><img src=chart.png>" },
          { path: "chart.png", content: "iVBORw0KGgo=", encoding: "base64" },
        ],
      },
    ],
  });

const form = z.object({
  files: z.array(z.file()).min(1).max(FILES_PER_UPLOAD).meta({
    description: "Parts with a file name, whatever they are called; exactly one of them is `index.html`.",
  }),
  ...uploadDetails.shape,
  expected_current_code: soughtCode.optional().meta({
    description: "As in JSON; an empty one is null there.",
  }),
});

export const uploadHeaders = z.object({
  "Idempotency-Key": z
    .string()
    .regex(REQUEST_KEY_PATTERN, "must be 1 to 255 visible ASCII characters")
    .optional()
    .meta({
      description:
        "Made up by the sender, so that the same upload sent again within 24 hours publishes nothing more. It gets the first one's answer, with the header `Idempotent-Replayed: true`; another upload with the same key is refused.",
      examples: ["5f0c6f6e-3a5b-4a1e-9a53-0a9f3d1c7b42"],
    }),
});

const response = z
  .object({
    code,
    url: z.url().meta({ description: "The permanent address of exactly this version." }),
    name: groupName.optional(),
    nameUrl: z.url().optional().meta({ description: "The live address of the group, when a name was given." }),
    owner: z.string().meta({ description: "The slug of the workspace." }),
    visibility,
    created_at: instant,
    warnings: z.array(z.string()).meta({ description: "What may not work in the published report." }),
  })
  .meta({
    id: "PublishedReport",
    examples: [
      {
        code: "7Kd0aQ2mXw9LbT4e",
        url: "http://127.0.0.1:4001/7Kd0aQ2mXw9LbT4e/",
        name: "weekly-sales",
        nameUrl: "http://127.0.0.1:4001/@ada/weekly-sales/",
        owner: "ada",
        visibility: "public",
        created_at: "2026-03-01T09:30:00.000Z",
        warnings: [],
      },
    ],
  });

export const uploadRoute = defineRoute({
  method: "POST",
  path: "/api/upload",
  id: "upload",
  summary: "Publish a report",
  description:
    "Stores the files as an immutable snapshot. With a `name`, the snapshot becomes the newest version of that group. A form is taken with a token alone. Either body may be compressed (`Content-Encoding: gzip` or `zstd`); the limits are those of what it is when decompressed.",
  scope: "reports:write",
  query: nothing,
  headers: uploadHeaders,
  body,
  form,
  response,
  failures: {
    400: "The upload has no index.html, a field is wrong, or the body is not valid JSON, form or compressed data.",
    403: "The token lacks the scope, or the free plan does not allow this upload.",
    404: "There is no such workspace, or the caller does not belong to it.",
    409: "The name is taken, the group is not at the expected code, or the key was used for another upload.",
    413: "A file exceeds 10 MB, or the request 20 MB.",
    415: "The body is encoded in a way that is not taken, or it is a form and there is no token.",
    507: "The workspace's quota is full.",
  },
});
