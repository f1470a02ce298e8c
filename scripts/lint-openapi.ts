import { fileURLToPath } from "node:url";
import { createConfig, lint } from "@redocly/openapi-core";

/** Redocly's recommended rules as errors, and a check of examples against their schemas. */
const config = await createConfig({
  extends: ["recommended-strict"],
  rules: {
    "operation-tag-defined": "error",
    "no-invalid-schema-examples": "error",
    "no-invalid-media-type-examples": "error",
    "operation-description": "error",
    "parameter-description": "error",
    "tag-description": "error",
  },
});

const ref = fileURLToPath(new URL("../generated/openapi.json", import.meta.url));
const problems = await lint({ ref, config });
for (const { severity, ruleId, message, location } of problems) {
  console.error(`${severity} ${ruleId}: ${message} ${location.map(({ pointer }) => pointer).join(", ")}`);
}
if (problems.length > 0) process.exitCode = 1;
