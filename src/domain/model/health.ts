/** The health of a part of the server. Operators see a degraded part; a failed one takes the server out of service. */
export interface PartState {
  state: "ok" | "degraded" | "failed";
  detail?: string;
}
export interface Part {
  name: string;
  check(): PartState | Promise<PartState>;
}
