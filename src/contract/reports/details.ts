import * as z from "zod";
import { PREVIEWS_PER_CALL } from "../../domain/model/limits.ts";
import { downloadFileAddress, reportAddress } from "../model/addresses.ts";
import {
  code,
  folderLabel,
  instant,
  nothing,
  pageLimit,
  reportName,
  requestedCode,
  storageMode,
  text,
  visibility,
} from "../model/common.ts";
import {
  attachedTags,
  byteCount,
  creator,
  documentTitle,
  filedIn,
  itemKind,
  reportTitle,
  thumbnailUrl,
  versionCount,
  versionNo,
  versionNote,
  workspaceSlug,
} from "../model/fields.ts";
import { hasOneReference, ONE_REFERENCE, reference } from "../model/references.ts";
import { defineDownload, defineRoute } from "../model/route.ts";

const PAGE_DEFAULT = 50;
const PAGE_MAXIMUM = 200;
/** The largest version number that the databases can store. */
const LAST_VERSION_NO = 2 ** 31 - 1;

const noSuchItem = "The report does not exist, or the caller cannot access it.";
const noSuchReport = "The version does not exist, or the caller cannot access it.";

const versionUrl = z.url().meta({ description: "The version link: the permanent link to this version." });

const itemDetail = z
  .object({
    kind: itemKind,
    name: reportName.optional().meta({ description: "The report's name. Absent if it has none." }),
    code: code.meta({ description: "The code of the current version." }),
    title: reportTitle,
    display_title: reportTitle
      .nullable()
      .meta({ description: "The display title. Null if the report has the title of its current version." }),
    document_title: documentTitle.meta({ description: "The title of the current version itself." }),
    owner_slug: workspaceSlug,
    visibility,
    current_visibility: visibility.meta({ description: "The visibility of the current version." }),
    storage: storageMode.meta({ description: "The storage available to the current version in a browser." }),
    folder: folderLabel,
    ...filedIn,
    tags: attachedTags,
    version_count: versionCount,
    created_at: instant,
    updated_at: instant,
    live_url: z
      .url()
      .optional()
      .meta({ description: "The live link, which shows the current version. Absent if the report has no name." }),
    url: versionUrl,
    thumbnail_url: thumbnailUrl,
    may_control: z.boolean().meta({ description: "Whether the caller can delete it and change its visibility." }),
    protected: z.boolean().meta({ description: "Whether the report and its versions are protected from deletion." }),
  })
  .meta({ id: "ItemDetail" });

export type ItemDetailEntry = z.output<typeof itemDetail>;

export const itemRoute = defineRoute({
  method: "GET",
  path: "/api/item",
  id: "item",
  summary: "Retrieve a report",
  description: "Returns a report by its `name`, or by the `code` of any of its versions.",
  scope: "reports:read",
  query: z.object(reference).refine(hasOneReference, ONE_REFERENCE),
  body: nothing,
  response: itemDetail,
  failures: { 404: noSuchItem },
});

const itemVersion = z
  .object({
    code,
    title: documentTitle,
    note: versionNote,
    version_no: versionNo,
    created_at: instant,
    visibility,
    storage: storageMode,
    size: byteCount.meta({ description: "Total size of all files, in bytes." }),
    file_count: z
      .int()
      .min(1)
      .meta({ description: "Number of files in this version.", examples: [4] }),
    creator: creator.meta({ description: "The user who published the version. Null if the account was deleted." }),
    url: versionUrl,
    thumbnail_url: thumbnailUrl,
    may_control: z.boolean().meta({ description: "Whether the caller can delete it and change its visibility." }),
    protected: z.boolean().meta({ description: "Whether the version itself is protected from deletion." }),
  })
  .meta({ id: "ItemVersion" });

export type ItemVersionEntry = z.output<typeof itemVersion>;

export const itemVersionsRoute = defineRoute({
  method: "GET",
  path: "/api/item/versions",
  id: "itemVersions",
  summary: "List the versions of a report",
  description: "Returns the versions that the caller can read, newest first. An unnamed report has one version.",
  scope: "reports:read",
  query: z
    .object({
      ...reference,
      before: z.coerce
        .number("must be a number")
        .int("must be a whole number")
        .min(1, `must be between 1 and ${LAST_VERSION_NO}`)
        .max(LAST_VERSION_NO, `must be between 1 and ${LAST_VERSION_NO}`)
        .optional()
        .meta({ description: "The `next_before` of the previous page." }),
      limit: pageLimit(PAGE_MAXIMUM)
        .default(PAGE_DEFAULT)
        .meta({ description: "Maximum number of versions per page." }),
    })
    .refine(hasOneReference, ONE_REFERENCE),
  body: nothing,
  response: z
    .object({
      versions: z.array(itemVersion).meta({ description: "The versions, newest first." }),
      next_before: z
        .int()
        .min(1)
        .nullable()
        .meta({ description: "Pass as `before` to get the next page. Null on the last page." }),
    })
    .meta({ id: "ItemVersionPage" }),
  failures: { 404: noSuchItem },
});

const reportFile = z
  .object({
    path: z.string().meta({ description: "The file name." }),
    size: byteCount,
    media_type: z.string().meta({ description: "The media type that the file is served with." }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: "The SHA-256 digest of the file, in hexadecimal." }),
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
    document_title: documentTitle,
    note: versionNote,
    version_no: versionNo,
    name: reportName.nullable().meta({ description: "The report's name. Null if it has none." }),
    owner_slug: workspaceSlug,
    visibility,
    storage: storageMode,
    created_at: instant,
    warnings: z.array(z.string()).meta({
      description: "The warnings that the upload returned. Empty for versions of servers that did not keep them.",
    }),
    size: byteCount.meta({ description: "Total size of all files, in bytes." }),
    files: z.array(reportFile).meta({ description: "The files of this version." }),
    url: versionUrl,
    thumbnail_url: thumbnailUrl,
    preview_url: z.url().nullable().meta({
      description:
        "A URL for showing the report in a frame on this server's own pages. Null if the report is not public and the request uses an access token.",
    }),
  })
  .meta({ id: "Report" });

export type ReportEntry = z.output<typeof report>;

export const reportRoute = defineRoute({
  ...reportAddress,
  id: "report",
  summary: "Retrieve a version and its files",
  description: "Returns one version of a named report, or an unnamed report, with a list of its files.",
  scope: "reports:read",
  query: z.object({ code: requestedCode }),
  body: nothing,
  response: report,
  hasSecrets: true,
  failures: { 404: noSuchReport },
});

export const downloadFileRoute = defineDownload({
  ...downloadFileAddress,
  id: "downloadFile",
  summary: "Download a file",
  description:
    "Returns a file of a version exactly as it was published. The server verifies the file against its SHA-256 digest, which it returns in `Repr-Digest` (RFC 9530).",
  scope: "reports:read",
  query: z.object({
    code: requestedCode,
    path: text(1000).meta({ description: "The file name.", examples: ["index.html"] }),
  }),
  body: nothing,
  failures: {
    404: "The version or the file does not exist, the caller cannot access it, or the file is missing or damaged on the server.",
  },
});

const preview = z
  .object({
    code,
    src: z.url().meta({ description: "A URL for showing the report in a frame on this server's own pages." }),
  })
  .meta({ id: "Preview", description: "The preview URL of a version." });

export const previewsRoute = defineRoute({
  method: "GET",
  path: "/api/previews",
  id: "previews",
  summary: "List preview URLs",
  description:
    "Returns URLs for showing versions in frames on this server's own pages. Omits versions that the caller cannot read and, with an access token, those that are not public.",
  scope: "reports:read",
  query: z.object({
    code: z
      .array(requestedCode)
      .max(PREVIEWS_PER_CALL, `can be repeated at most ${PREVIEWS_PER_CALL} times`)
      .meta({ description: "The code of a version. Can be repeated." }),
  }),
  repeatable: ["code"],
  body: nothing,
  response: z
    .object({
      previews: z.array(preview).meta({ description: "The preview URLs, in the order of the request's codes." }),
    })
    .meta({ id: "PreviewList" }),
  hasSecrets: true,
  failures: {},
});
