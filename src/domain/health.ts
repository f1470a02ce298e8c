/** What a part of the server says of itself in the detail of readiness. */
export interface Health {
  state: "ok" | "degraded";
  /** One or two sentences for the operator. */
  detail?: string;
}
