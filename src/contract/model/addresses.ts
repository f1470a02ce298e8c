/**
 * The endpoints for downloads, apart from their schemas: the `download` command starts faster when it does not load zod.
 */
export const reportAddress = { method: "GET", path: "/api/report" } as const;

export const downloadFileAddress = {
  method: "GET",
  path: "/api/report/file",
  mediaType: "application/octet-stream",
} as const;
