// The README shows what the demo prints. `--write` puts it there; without it a difference fails.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const readme = new URL("../README.md", import.meta.url);
const begin = "<!-- demo output: written by .ci/check-readme.mjs -->\n```text\n";
const end = "```\n<!-- end of demo output -->";

const output = execFileSync(
  process.execPath,
  ["--import", "tsx", "--conditions=@typekube/source", "examples/live-informer.ts"],
  { cwd: new URL("..", import.meta.url), encoding: "utf8", timeout: 10_000 },
);
const text = readFileSync(readme, "utf8");
const from = text.indexOf(begin) + begin.length;
const to = text.indexOf(end, from);
if (from < begin.length || to < 0) {
  throw new Error("README.md has no block for the demo's output");
}
const updated = text.slice(0, from) + output + text.slice(to);
if (process.argv.includes("--write")) {
  writeFileSync(readme, updated);
} else if (updated !== text) {
  console.error(`The demo prints something else than README.md shows:\n${output}`);
  console.error("Run `node .ci/check-readme.mjs --write` if the new output is right.");
  process.exit(1);
}
console.log("README.md shows what the demo prints");
