// Writes docs/platforms.md: the platforms that the packed packages run on, from a report of the consumer suite:
//
//   vitest run --config test/consumers/vitest.config.ts --reporter=json --outputFile=REPORT.json
//   node .ci/platforms.mjs REPORT.json [--write]
//
// The rows are in platforms.rows.mjs. A row without a test, a row with a test that did not pass, and a test without a
// row are problems; without --write, an outdated page is one too.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parts } from "./platforms.rows.mjs";
import { cell, finishPage, readArguments } from "./test-reports.shared.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
/** Tests of the packages themselves, not of platforms. */
const elsewhere = ["Node runs the program", "Node prints an uncaught error"];

const { reports, isWriting } = readArguments("platforms");
const problems = [];
const unused = new Map();
for (const report of reports) {
  for (const { assertionResults } of JSON.parse(readFileSync(report, "utf8")).testResults) {
    for (const { ancestorTitles, title, status } of assertionResults) {
      unused.set([...ancestorTitles, title].join(" "), status);
    }
  }
}
const tests = [...unused];

function verdict({ what, tests: beginnings, line, because }) {
  for (const beginning of beginnings) {
    const own = tests.filter(([name]) => name.startsWith(beginning));
    if (own.length === 0) {
      problems.push(`no test begins with: ${beginning}`);
    }
    for (const [name, status] of own) {
      unused.delete(name);
      if (status !== "passed") {
        problems.push(`${status}: ${name} (${what})`);
      }
    }
  }
  if (because !== undefined) {
    return `does not work: ${because}`;
  }
  return line === undefined ? "works" : `works with ${line}`;
}

const lines = [];
const counts = { works: 0, line: 0, not: 0 };
for (const { title, rows } of parts) {
  lines.push("", `## ${title}`, "", "| platform | result |", "|---|---|");
  for (const row of rows) {
    counts[row.because ? "not" : row.line ? "line" : "works"] += 1;
    lines.push(`| ${cell(row.what)} | ${cell(verdict(row))} |`);
  }
}
for (const name of unused.keys()) {
  if (!elsewhere.some((beginning) => name.startsWith(beginning))) {
    problems.push(`no row for the test: ${name}`);
  }
}

const summary = `${counts.works} work without changes, ${counts.line} with a setting, ${counts.not} do not work`;
const written = `${[
  "<!-- Written by .ci/platforms.mjs from a report of test/consumers. -->",
  "# Supported platforms",
  "",
  "On each platform, npm installs the packed packages into a project, which runs the same program: create, patch, list, watch, apply and delete on an embedded",
  "server. Node versions are the lowest that `engines` allows and the newest of each line. `test/consumers/package.json` and",
  "`test/consumers/runtimes/package.json` have the exact versions.",
  "",
  `Of ${counts.works + counts.line + counts.not} rows, ${summary}. The workflow runs the unit tests on Windows and macOS.`,
  ...lines,
].join("\n")}\n`;

finishPage({ root, name: "platforms", written, isWriting, problems, summary: `${summary}; ` });
