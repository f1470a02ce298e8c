import * as z from "zod";
import {
  FILE_PATH_CHARACTERS,
  FILES_PER_UPLOAD,
  FOLDER_LABEL_CHARACTERS,
  NOTE_CHARACTERS,
  TITLE_CHARACTERS,
} from "../../domain/model/limits.ts";
import { FILE_PATH_PATTERN, REQUEST_KEY_PATTERN } from "../../domain/model/names.ts";
import { ADDRESSED_PER_VERSION } from "../../domain/reviews/limits.ts";
import {
  code,
  expectedCode,
  instant,
  label,
  nothing,
  reportName,
  requestedCode,
  requestedId,
  requestedOwner,
  storageMode,
  text,
  visibility,
} from "../model/common.ts";
import { defineRoute } from "../model/route.ts";

/** Makes a field optional and nullable, because some clients send every field and use null for "not set". */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

const file = z
  .object({
    path: z.string().meta({
      description: "The file name: letters, digits, dots, underscores and hyphens. Directories are not supported.",
      pattern: FILE_PATH_PATTERN.source,
      maxLength: FILE_PATH_CHARACTERS,
      examples: ["index.html"],
    }),
    content: z.string().meta({
      description: "The file's content, as text or as base64 (see `encoding`). At most 10 MB after decoding.",
    }),
    encoding: optional(z.enum(["utf-8", "base64"])).meta({
      description: "The encoding of `content`. Defaults to `utf-8`.",
    }),
  })
  .meta({ id: "File" });

const details = z.object({
  name: reportName,
  owner: requestedOwner.meta({
    description:
      "The slug of the workspace to publish to. Defaults to the access token's workspace, or to the user's own with a session.",
  }),
  title: text(TITLE_CHARACTERS).meta({
    description:
      "The title of this version. Defaults to the document's `title` element. If the report has a display title (see `POST /api/report/title`), it is shown with that.",
  }),
  note: label(NOTE_CHARACTERS).meta({
    description: `What has changed in this version, 1 to ${NOTE_CHARACTERS} characters. Shown in its list of versions.`,
    maxLength: NOTE_CHARACTERS,
    examples: ["Added returns"],
  }),
  folder: text(FOLDER_LABEL_CHARACTERS).meta({
    description:
      "The folder for a new report: `Drawer/Folder`, or `Folder` at the root. Created if needed. Ignored for new versions.",
    examples: ["Sales/2026"],
  }),
  visibility: visibility.meta({
    description:
      "Who can read the report. Defaults to `private`, unless an organization has set another default. A new version has the visibility of its report.",
  }),
  storage: storageMode.meta({
    description:
      "The storage available to the report's pages in a browser. Defaults to the report's own setting (see `POST /api/report/storage`), and that to `none`. `memory` provides `localStorage`, `sessionStorage` and `document.cookie`, which are cleared when the page is closed or reloaded. Downloaded files stay exactly as uploaded.",
  }),
});

const addresses = z
  .array(requestedId)
  .max(ADDRESSED_PER_VERSION, `must have at most ${ADDRESSED_PER_VERSION} threads`)
  .meta({
    description:
      "The IDs of comment threads of the report that this version addresses. They stay open until a person resolves them.",
    examples: [["thr_Q3ZzD1mB0kXa7TgH"]],
  });

/** The fields of a form upload other than its files. */
export const uploadDetails = details.partial().extend({
  expected_current_code: expectedCode,
  addresses: text(20_000)
    .transform((list) => list.split(",").map((id) => id.trim()))
    .pipe(addresses)
    .optional()
    .meta({ description: "As in JSON, separated by commas." }),
});

const body = z
  .object({
    files: z
      .array(file)
      .min(1, "must have at least 1 entry")
      .max(FILES_PER_UPLOAD, `must have at most ${FILES_PER_UPLOAD} entries`)
      .meta({ description: "The report's files. Exactly one must have the path `index.html`." }),
    name: optional(details.shape.name),
    expected_current_code: expectedCode,
    owner: optional(details.shape.owner),
    title: optional(details.shape.title),
    note: optional(details.shape.note),
    folder: optional(details.shape.folder),
    visibility: optional(details.shape.visibility),
    storage: optional(details.shape.storage),
    addresses: optional(addresses),
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
    description: "The report's files: all parts that have a file name. Exactly one must be named `index.html`.",
  }),
  ...uploadDetails.shape,
  expected_current_code: requestedCode.optional().meta({
    description: "As in JSON. An empty value means null.",
  }),
});

export const uploadHeaders = z.object({
  "Idempotency-Key": z
    .string()
    .regex(REQUEST_KEY_PATTERN, "must have 1 to 255 visible ASCII characters")
    .optional()
    .meta({
      description:
        "A unique value that you choose, such as a UUID, so that you can safely retry the upload within 24 hours. A retry with the same key publishes nothing and returns the first response with the header `Idempotent-Replayed: true`. A different upload with the same key returns 409.",
      examples: ["5f0c6f6e-3a5b-4a1e-9a53-0a9f3d1c7b42"],
    }),
});

const response = z
  .object({
    code,
    url: z.url().meta({ description: "The version link: the permanent link to this version." }),
    name: reportName.optional(),
    nameUrl: z
      .url()
      .optional()
      .meta({ description: "The live link, which follows the latest version. Present if the upload has a name." }),
    owner: z.string().meta({ description: "The slug of the workspace." }),
    visibility,
    created_at: instant,
    warnings: z
      .array(z.string())
      .meta({ description: "Problems found in the files that may affect how the report works once published." }),
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
    "Publishes files as an immutable version. With a `name`, it becomes the current version of the report with that name, which is created if needed. Send JSON or, with an access token, a form. Both can be compressed (`Content-Encoding: gzip` or `zstd`). Size limits apply after decompression.",
  scope: "reports:write",
  query: nothing,
  headers: uploadHeaders,
  body,
  form,
  response,
  failures: {
    400: "The upload has no `index.html`, a field is invalid, or the body is not valid JSON, form or compressed data.",
    403: "The access token does not have the required scope, or the free plan does not allow this upload.",
    404: "The workspace does not exist, or the caller is not a member.",
    409: "The name is already taken, the current code is not the expected one, or the idempotency key was used for another upload.",
    413: "A file is larger than 10 MB, or the request is larger than 20 MB.",
    415: "The content encoding is not supported, or the body is a form and the request has no access token.",
    507: "The workspace's storage quota is full.",
  },
});
