/**
 * Where reports are downloaded, apart from what is said of it: a command that downloads may be done before the schemas
 * of a contract are made.
 */
export const reportAddress = { method: "GET", path: "/api/report" } as const;

export const downloadFileAddress = {
  method: "GET",
  path: "/api/report/file",
  mediaType: "application/octet-stream",
} as const;
