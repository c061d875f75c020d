import { join } from "node:path";
import { expect, test } from "vitest";
import { describeChanges } from "../src/fact-changes.js";
import { readFacts } from "../src/facts.js";
import { handWrittenRules } from "../src/hand-written-rules.js";

const packages = join(import.meta.dirname, "../..");
const facts = readFacts(join(packages, "codegen/facts"));

test("a release with the same facts has no differences", () => {
  expect(describeChanges(facts, facts)).toEqual([
    `Facts that differ from those of Kubernetes ${facts.release}:`,
  ]);
});

test("differences name what was added, removed and changed", () => {
  const [first, second, ...gates] = facts.server.featureGates;
  const stages = [{ since: "1.38", stage: "ga", on: true, locked: true }] as const;
  const featureGates = [
    { name: first?.name ?? "", stages },
    { name: "ANewGate", stages },
    ...gates,
  ];
  const lines = describeChanges(facts, { ...facts, server: { ...facts.server, featureGates } });
  expect(lines[2]).toMatch(/^Feature gates: 3 \(.*feature-gates\.ts\)$/);
  expect(lines).toContain("  + ANewGate: 1.38 ga on locked");
  expect(lines).toContain(`  - ${second?.name}`);
  expect(lines.find((line) => line.startsWith(`  ~ ${first?.name}: `))).toMatch(
    /-> 1\.38 ga on locked$/,
  );
});

test("rules by hand are the lines of sources that name the release", () => {
  const lines = handWrittenRules(packages, facts.release);
  expect(lines.some((line) => line.includes("apiserver/src/server/discovery/health.ts:"))).toBe(
    true,
  );
  expect(lines.filter((line) => line.includes("/generated/"))).toEqual([]);
  expect(handWrittenRules(packages, "1.99.0")).toEqual([]);
});
