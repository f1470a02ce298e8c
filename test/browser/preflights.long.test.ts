import { expect, test } from "bun:test";
import { chromiumUnavailable } from "../support/chromium.ts";
import { publishFiles } from "../support/content.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { describeEachDeployment, launchNamingChromium, reportIn, signedInContext } from "./deployments.ts";

const FILES = { "index.html": "<!doctype html><title>Charts</title><h1>Charts</h1>", "data.json": '{"rows":3}' };

/** Header fields that libraries add to their requests: jQuery, axios, Plotly and PDF viewers. */
const ALLOWED = {
  "X-Requested-With": "XMLHttpRequest",
  "Cache-Control": "no-cache",
  Pragma: "no-cache",
  "If-None-Match": '"none"',
  Range: "bytes=0-",
};

/** Reads a file of the report with such a field, by fetch and by XMLHttpRequest; "refused" if the browser doesn't send it. */
const READ = `async ([name, value]) => {
  const url = "data.json?" + Math.random();
  const fetched = await fetch(url, { headers: { [name]: value } }).then((response) => response.json(), () => "refused");
  const asked = await new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", url);
    request.setRequestHeader(name, value);
    request.onload = () => resolve(JSON.parse(request.responseText));
    request.onerror = () => resolve("refused");
    request.send();
  });
  return [fetched, asked];
}`;

describeIf("headers that a report's scripts may send to the content host", chromiumUnavailable(), () => {
  const browser = use(launchNamingChromium);

  describeEachDeployment(
    (start) => {
      const deployment = use(start);

      test.each(["public", "private"] as const)("%s: those of libraries, but never a token", async (visibility) => {
        const owner = await deployment.build.user();
        const code = await publishFiles(deployment, owner.token, FILES, { visibility });
        await using context = await signedInContext(browser, deployment, owner.email);
        const page = await context.newPage();
        await page.goto(`${deployment.baseUrl}/${code}/`);
        const report = await reportIn(page, deployment, code);
        const read = (field: readonly [string, string]) =>
          report.evaluate<unknown[]>(`(${READ})(${JSON.stringify(field)})`);
        for (const field of Object.entries(ALLOWED)) {
          expect([field[0], ...(await read(field))]).toEqual([field[0], { rows: 3 }, { rows: 3 }]);
        }
        for (const name of ["Authorization", "X-Other"]) {
          expect([name, ...(await read([name, `Bearer ${owner.token}`]))]).toEqual([name, "refused", "refused"]);
        }
      });
    },
    ["local", "https"],
  );
});
