import { parseArgs } from "node:util";
import * as zoo from "./zoo/index.js";

// Searches the fixed twins of the zoo, one after the other, with many seeds:
// pnpm explore:twins [--runs 10000] [--seed 1] [NAME ...]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
  },
});
const runs = Number(values.runs);
const seed = Number(values.seed);
/** Findings of one twin after which its search ends: each kind and message counts once. */
const maxFindings = 20;

const twins = Object.entries(zoo).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);
for (const [name, animal] of twins) {
  const found = await animal.exploreFixed({ runs, seed, maxFindings });
  const seconds = (found.elapsedMs / 1_000).toFixed(1);
  console.log(`${name}: ${found.runs} runs, ${found.findings.length} findings, ${seconds} s`);
  for (const what of found.coverage.notExplored.filter((one) => /^\d+ .*runs?/.test(one))) {
    console.log(`  not explored: ${what}`);
  }
  if (found.findings.length > 0) {
    console.log(found.text());
    process.exitCode = 1;
  }
}
