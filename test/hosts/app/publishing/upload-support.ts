import { expect } from "bun:test";
import { uploadRoute } from "../../../../src/contract/publishing/publish.ts";
import { failureSchema } from "../../../support/scenarios.ts";
import type { Service } from "../../../support/service.ts";

interface Upload {
  token: string;
  body: RequestInit["body"];
  headers: Readonly<Record<string, string>>;
}

/** Sends a body as it is, with the test's headers. */
export const postUpload = ({ baseUrl }: Pick<Service, "baseUrl">, { token, body, headers }: Upload) =>
  fetch(`${baseUrl}/api/upload`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });

export async function expectRefused(response: Response, status: number, error: string | RegExp): Promise<void> {
  const answer: unknown = await response.json();
  expect({ status: response.status, answer }).toMatchObject({ status });
  expect(failureSchema.parse(answer).error).toMatch(error);
}

/** Returns the answer to an upload that must be accepted. */
export async function accepted(response: Response) {
  const answer: unknown = await response.json();
  expect({ status: response.status, answer }).toMatchObject({ status: 200 });
  return uploadRoute.response.parse(answer);
}
