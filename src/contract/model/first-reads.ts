/**
 * The requests with which the portal begins. They are described here without schemas: its page sends them before any script
 * has arrived, and its first scripts take over the responses.
 */
export const FIRST_READS = {
  account: { method: "GET", path: "/api/account" },
  search: { method: "GET", path: "/api/search" },
  taxonomy: { method: "GET", path: "/api/taxonomy" },
  shortcuts: { method: "GET", path: "/api/shortcuts" },
  filters: { method: "GET", path: "/api/filters" },
  item: { method: "GET", path: "/api/item" },
  items: { method: "GET", path: "/api/items" },
} as const;

/** Reports per page of the portal's list. */
export const LIST_PAGE = 60;
