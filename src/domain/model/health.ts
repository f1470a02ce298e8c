/** How a part of the server is. A degraded one is shown to operators; a failed one takes the server out of service. */
export interface PartState {
  state: "ok" | "degraded" | "failed";
  detail?: string;
}
export interface Part {
  name: string;
  check(): PartState | Promise<PartState>;
}
