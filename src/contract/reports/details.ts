import { z } from "zod";
import { PREVIEWS_PER_CALL } from "../../domain/model/limits.ts";
import { downloadFileAddress, reportAddress } from "../model/addresses.ts";
import {
  code,
  folderLabel,
  groupName,
  instant,
  nothing,
  pageLimit,
  soughtCode,
  soughtName,
  storageMode,
  text,
  visibility,
} from "../model/common.ts";
import {
  attachedTags,
  byteCount,
  displayName,
  filedIn,
  itemKind,
  reportTitle,
  userSlug,
  versionCount,
  versionNo,
  workspaceSlug,
} from "../model/fields.ts";
import { defineDownload, defineRoute } from "../model/route.ts";

const PAGE_DEFAULT = 50;
const PAGE_MAXIMUM = 200;
/** The greatest that a database keeps. */
const LAST_VERSION_NO = 2 ** 31 - 1;

const noSuchItem = "There is no such group or report, or it belongs to another account.";
const noSuchReport = "There is no such report, or it belongs to another account.";

const pinnedUrl = z.url().meta({ description: "The permanent link." });

const hasOneReference = ({ name, code }: { name?: unknown; code?: unknown }) =>
  (name === undefined) !== (code === undefined);
const ONE_REFERENCE = "Give exactly one of name and code";
const reference = { name: soughtName.optional(), code: soughtCode.optional() };

const itemDetail = z
  .object({
    kind: itemKind,
    name: groupName.optional().meta({ description: "Of a group." }),
    code: code.meta({ description: "Of the version that is current." }),
    title: reportTitle,
    owner_slug: workspaceSlug,
    visibility,
    current_visibility: visibility.meta({ description: "Of the version that is current." }),
    storage: storageMode.meta({ description: "Of the version that is current." }),
    folder: folderLabel,
    ...filedIn,
    tags: attachedTags,
    version_count: versionCount,
    created_at: instant,
    updated_at: instant,
    live_url: z.url().optional().meta({ description: "Of a group: always shows the current version." }),
    url: pinnedUrl,
    may_control: z.boolean().meta({ description: "Whether the caller may delete it and change its visibility." }),
  })
  .meta({ id: "ItemDetail" });

export type ItemDetailEntry = z.output<typeof itemDetail>;

export const itemRoute = defineRoute({
  method: "GET",
  path: "/api/item",
  id: "item",
  summary: "Describe a group or a standalone report",
  description: "By `name`, or by `code`; the code of a group's version names that group.",
  scope: "reports:read",
  query: z.object(reference).refine(hasOneReference, ONE_REFERENCE),
  body: nothing,
  response: itemDetail,
  failures: { 404: noSuchItem },
});

const itemVersion = z
  .object({
    code,
    title: reportTitle,
    version_no: versionNo,
    created_at: instant,
    visibility,
    storage: storageMode,
    size: byteCount.meta({ description: "Bytes of all files." }),
    file_count: z
      .int()
      .min(1)
      .meta({ description: "How many files it has.", examples: [4] }),
    creator: z
      .object({ slug: userSlug, display_name: displayName })
      .nullable()
      .meta({ description: "Who published it; null where that account is gone." }),
    url: pinnedUrl,
    may_control: z.boolean().meta({ description: "Whether the caller may delete it and change its visibility." }),
  })
  .meta({ id: "ItemVersion" });

export type ItemVersionEntry = z.output<typeof itemVersion>;

export const itemVersionsRoute = defineRoute({
  method: "GET",
  path: "/api/item/versions",
  id: "itemVersions",
  summary: "List the versions of a group, a page at a time",
  description: "Those that the caller may read, newest first. A standalone report has one.",
  scope: "reports:read",
  query: z
    .object({
      ...reference,
      before: z.coerce
        .number("must be a number")
        .int("must be a whole number")
        .min(1, `must be from 1 to ${LAST_VERSION_NO}`)
        .max(LAST_VERSION_NO, `must be from 1 to ${LAST_VERSION_NO}`)
        .optional()
        .meta({ description: "`next_before` of the page before." }),
      limit: pageLimit(PAGE_MAXIMUM).default(PAGE_DEFAULT).meta({ description: "Versions on a page." }),
    })
    .refine(hasOneReference, ONE_REFERENCE),
  body: nothing,
  response: z
    .object({
      versions: z.array(itemVersion).meta({ description: "Newest first." }),
      next_before: z.int().min(1).nullable().meta({ description: "Null on the last page." }),
    })
    .meta({ id: "ItemVersionPage" }),
  failures: { 404: noSuchItem },
});

const reportFile = z
  .object({
    path: z.string().meta({ description: "The file's name." }),
    size: byteCount,
    media_type: z.string().meta({ description: "As what it is served." }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: "SHA-256 of its bytes, hexadecimal." }),
  })
  .meta({
    id: "ReportFile",
    examples: [
      {
        path: "index.html",
        size: 5120,
        media_type: "text/html;charset=utf-8",
        sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      },
    ],
  });

const report = z
  .object({
    code,
    title: reportTitle,
    version_no: versionNo,
    name: groupName.nullable().meta({ description: "The group's; null for a standalone report." }),
    owner_slug: workspaceSlug,
    visibility,
    storage: storageMode,
    created_at: instant,
    size: byteCount.meta({ description: "Bytes of all files." }),
    files: z.array(reportFile).meta({ description: "All of its files." }),
    url: pinnedUrl,
    preview_url: z.url().nullable().meta({
      description: "Where a frame on this host's own pages finds the report; null if it is not public, for a token.",
    }),
  })
  .meta({ id: "Report" });

export type ReportEntry = z.output<typeof report>;

export const reportRoute = defineRoute({
  ...reportAddress,
  id: "report",
  summary: "Describe one version and its files",
  description: "A version of a group, or a standalone report.",
  scope: "reports:read",
  query: z.object({ code: soughtCode }),
  body: nothing,
  response: report,
  failures: { 404: noSuchReport },
});

export const downloadFileRoute = defineDownload({
  ...downloadFileAddress,
  id: "downloadFile",
  summary: "Download one file of a version",
  description:
    "Its bytes as they were published. The server compares them with their SHA-256 first, and gives it in `Repr-Digest` (RFC 9530).",
  scope: "reports:read",
  query: z.object({
    code: soughtCode,
    path: text(1000).meta({ description: "The file's name.", examples: ["index.html"] }),
  }),
  body: nothing,
  failures: {
    404: "There is no such report or file, it belongs to another account, or its bytes are missing or damaged on the server.",
  },
});

const preview = z
  .object({ code, src: z.url().meta({ description: "What a frame on this host's own pages may show." }) })
  .meta({ id: "Preview", description: "Where a frame finds a report." });

export const previewsRoute = defineRoute({
  method: "GET",
  path: "/api/previews",
  id: "previews",
  summary: "Say where frames find several reports",
  description: "What the caller may not read, or a token could not open in a frame, is left out.",
  scope: "reports:read",
  query: z.object({
    code: z
      .array(soughtCode)
      .max(PREVIEWS_PER_CALL, `must be given at most ${PREVIEWS_PER_CALL} times`)
      .meta({ description: "May be given several times." }),
  }),
  repeatable: ["code"],
  body: nothing,
  response: z
    .object({ previews: z.array(preview).meta({ description: "In the order in which their codes were given." }) })
    .meta({ id: "PreviewList" }),
  failures: {},
});
