import { explore } from "@typekube/apiserver/testing";
import { expect, test } from "vitest";
import { generatedNames } from "./zoo/generated-names.js";

const zoo = { generatedNames };

test.each(Object.entries(zoo))("%s is found, and its fixed twin passes", async (_, animal) => {
  const found = await explore(animal.buggy, { maxFindings: 1, runs: 50 });
  console.log(found.text());
  expect(animal.kinds).toContain(found.findings[0]?.kind);
  expect(found.findings[0]?.lines.length).toBeLessThanOrEqual(12);
  const t = performance.now();
  const fixed = await explore(animal.fixed, { runs: 200 });
  console.log(fixed.text(), (performance.now() - t) / fixed.runs);
  expect(fixed.findings).toEqual([]);
});
