// Writes docs/informer-behaviours.md: for each behaviour, the tests that cover it and their results, from the reports
// of real runs:
//
//   vitest run --reporter=json --outputFile=REPORT.json
//   node .ci/informer-behaviours.mjs REPORT.json... [--write]
//
// A behaviour needs a test that carries its ID and passed, or a line in docs/decisions/0011-informers.md that begins
// with its ID and states what users get instead. Without --write an outdated page fails too.
import { fileURLToPath } from "node:url";
import { parts } from "./informer-behaviours.rows.mjs";
import {
  cell,
  finishPage,
  readArguments,
  readDecisions,
  readReports,
} from "./test-reports.shared.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const decisions = "docs/decisions/0011-informers.md";
/** Maximum number of tests named in a row. */
const shownTests = 2;

const { reports, isWriting } = readArguments("informer-behaviours");

const tests = readReports(reports, root);
const decided = readDecisions(root + decisions);
const problems = [];
const counts = { tested: 0, decided: 0, tests: 0 };

/** Sorts the informer package's own tests first, those of its dependencies after them. */
const rank = (test) => (test.startsWith("packages/informer/") ? `0${test}` : `1${test}`);

function describe(id) {
  const own = [...(tests.get(id) ?? [])]
    .map(([test, { "": ended }]) => [test, ended])
    .sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
  counts.tests += own.length;
  const failed = own.filter(([, ended]) => ended === "failed");
  problems.push(...failed.map(([test]) => `${id}: failed: ${test}`));
  if (own.length === 0) {
    if (decided.has(id)) {
      counts.decided++;
      return [decided.get(id), "decided"];
    }
    problems.push(`${id}: neither a test nor a line in ${decisions}`);
    return ["", "missing"];
  }
  counts.tested++;
  if (!own.some(([, ended]) => ended === "passed") && failed.length === 0) {
    problems.push(`${id}: none of its tests ran`);
  }
  const shown = own.slice(0, shownTests).map(([test]) => cell(test));
  const rest = own.length - shown.length;
  const also = decided.has(id) ? `<br>${decided.get(id)}` : "";
  const more = rest > 0 ? "<br>and more" : "";
  return [shown.join("<br>") + more + also, failed.length > 0 ? "failed" : "passed"];
}

const lines = [
  "<!-- Written by .ci/informer-behaviours.mjs from reports of test runs. -->",
  "# Tested behaviours of informers",
  "",
  "Each row is a behaviour of client-go's informers or of the API, with the tests that carry its ID and their result. `decided` rows state what",
  "TypeKube does instead ([decision 0011](decisions/0011-informers.md)). [informers.md](informers.md) is the guide.",
  "",
];
for (const [title, text] of parts) {
  lines.push(`## ${title}`, "", "| ID | behaviour | tests | result |", "|---|---|---|---|");
  for (const row of text.trim().split("\n")) {
    const [, id, words] = /^\s*(\S+) (.+)$/.exec(row);
    const [by, result] = describe(id);
    lines.push(`| ${id} | ${words} | ${by} | ${result} |`);
  }
  lines.push("");
}
const total = counts.tested + counts.decided;
const summary = `${total} behaviours: ${counts.tested} tested, ${counts.decided} replaced by a decision`;
lines.splice(5, 0, `${summary}.`);
const written = `${lines.join("\n").trimEnd()}\n`;

finishPage({
  root,
  name: "informer-behaviours",
  written,
  isWriting,
  problems,
  summary: `${summary} (${counts.tests} tests), `,
});
