import { expect, test } from "bun:test";
import { createS3Requests } from "../../src/blobs/s3-requests.ts";

const random = { bytes: (length: number) => new Uint8Array(length) };

test("requests to the store carry the trace they belong to, unsigned", async () => {
  const received: Headers[] = [];
  await using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      received.push(request.headers);
      return new Response("");
    },
  });
  const place = {
    bucketUrl: `http://127.0.0.1:${server.port}/reports`,
    prefix: "",
    region: "us-east-1",
    accessKeyId: "key",
    secretAccessKey: "secret",
    sessionToken: undefined,
  };
  const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  let trace: Record<string, string> = { traceparent };
  const { send } = createS3Requests(place, random, undefined, () => trace);
  await send({ method: "GET", path: "A" });
  trace = {};
  await send({ method: "GET", path: "A" });
  expect(received.map((headers) => headers.get("traceparent"))).toEqual([traceparent, null]);
  expect(received[0]?.get("authorization")).toMatch(/^AWS4-HMAC-SHA256 .*SignedHeaders=(?!.*trace)/);
});
