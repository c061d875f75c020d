import type { FaultType } from "@typekube/apiserver/testing";
import { describe, expect, test } from "vitest";
import * as zoo from "./zoo/index.js";

/** Rows of a finding that a person is ready to read. */
const maxLines = 12;
/** Runs with several faults for each fixed operator; each has its own seed, from 1. */
const seeds = Number(process.env["TYPEKUBE_EXPLORE_SEEDS"] ?? 10);

console.log(`seeds 1 to ${seeds}; TYPEKUBE_EXPLORE_SEEDS sets how many`);

test("the zoo has an animal for each kind of finding, each with its source", () => {
  const animals = Object.values(zoo);
  expect(animals.length).toBeGreaterThanOrEqual(20);
  expect(new Set(animals.map(({ bug }) => bug)).size).toBe(animals.length);
  for (const { source } of animals) {
    expect(source).toMatch(/^https:\/\/github\.com\/[^/]+\/[^/]+\/(?:issues|pull)\/\d+$/);
  }
  expect(new Set(animals.flatMap(({ kinds }) => kinds))).toEqual(
    new Set([
      "another state",
      "created twice",
      "did not converge",
      "endless writes",
      "invariant violated",
      "orphans left",
      "unhandled rejection",
      "writes after leadership was lost",
    ]),
  );
});

describe.each(Object.entries(zoo))("%s", (_, animal) => {
  const searches = [{ name: "any fault" }, ...animal.by.map((type) => ({ name: type, type }))];

  test.each<{ readonly name: string; readonly type?: FaultType }>(searches)(
    "is found by $name; its replay fails again, and passes once it is fixed",
    async ({ type }) => {
      const faults = type && [type];
      const found = await animal.exploreBuggy({ maxFindings: 1, runs: 50, faults });
      const [finding] = found.findings;
      console.log(found.text().split("\n\nwhat was tried")[0]);
      expect(animal.kinds).toContain(finding?.kind);
      expect(finding?.lines.length).toBeLessThanOrEqual(maxLines);
      const { kind, lines, replay } = finding ?? {};
      const again = await animal.exploreBuggy({ replay });
      expect(again.findings.map((one) => [one.kind, one.lines])).toContainEqual([kind, lines]);
      const fixed = await animal.exploreFixed({ replay });
      expect(fixed.findings, fixed.text()).toEqual([]);
    },
  );

  test(`passes once it is fixed, with all single faults and the seeds 1 to ${seeds}`, {
    timeout: 240_000 + seeds * 1_000,
  }, async () => {
    const fixed = await animal.exploreFixed({ runs: seeds });
    expect(fixed.findings, fixed.text()).toEqual([]);
  });
});
