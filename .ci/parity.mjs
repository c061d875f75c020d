// Writes docs/parity.md: for each behaviour of the API server, its test results on the embedded server and on a real
// one, from reports of real runs:
//
//   KUBEBUILDER_ASSETS=... vitest run --project unit --project conformance --project black-box --reporter=json --outputFile=REPORT.json
//   node .ci/parity.mjs REPORT.json... [--write]
//
// The rows are in parity.rows.mjs. A row without a passed test and a failed test are problems; without --write, an
// outdated page is one too.
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { notEmulated, parts } from "./parity.rows.mjs";
import { cell, readArguments, worse } from "./test-reports.shared.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const page = `${root}docs/parity.md`;
/** Maximum number of tests named in a row. */
const shownTests = 2;

const { reports, isWriting } = readArguments("parity");

/** Returns the servers that a test ran on; empty for tests that are about neither server. */
function placesOf(file, ancestorTitles) {
  if (file.startsWith("test/black-box/")) {
    return ["embedded", "real"];
  }
  if (/^(?:packages\/apiserver\/test|test\/hostile\/(?:manifest|web-page))\//.test(file)) {
    return ["embedded"];
  }
  if (file.startsWith("test/conformance/")) {
    return ["embedded", "real"].filter((server) =>
      ancestorTitles.some((title) => title.startsWith(server)),
    );
  }
  return [];
}

/** Returns the IDs at the start of a title: `ES13, ES19: ...`. */
function idsOf(title) {
  const [head = ""] = title.split(": ");
  return head.split(",").map((id) => id.trim());
}

/** Returns a map from `file: title` to the IDs and the result per server. */
function readTests() {
  const found = new Map();
  for (const report of reports) {
    for (const { name, assertionResults } of JSON.parse(readFileSync(report, "utf8")).testResults) {
      const file = relative(root, name);
      for (const { title, ancestorTitles, status } of assertionResults) {
        const places = placesOf(file, ancestorTitles);
        const key = `${file}: ${title}`;
        const test = found.get(key) ?? { ids: idsOf(title), ends: {} };
        found.set(key, test);
        const ended = status === "passed" || status === "failed" ? status : "not run";
        for (const place of places) {
          test.ends[place] = worse(test.ends[place], ended);
        }
      }
    }
  }
  return found;
}

const tests = [...readTests()].filter(([, { ends }]) => Object.keys(ends).length > 0);
const counts = { rows: 0, both: 0, embedded: 0 };
const problems = new Set();

function matches(pattern, ids) {
  return pattern.endsWith("*")
    ? ids.some((id) => id.startsWith(pattern.slice(0, -1)))
    : ids.includes(pattern);
}

function describe(words, patterns) {
  const own = tests.filter(([, { ids }]) => patterns.some((pattern) => matches(pattern, ids)));
  // Cases that ran on both servers come first.
  own.sort(([a, one], [b, other]) => {
    const rank = ({ ends }) => (ends.real === undefined ? 1 : 0);
    return rank(one) - rank(other) || (a < b ? -1 : 1);
  });
  for (const pattern of patterns) {
    if (!own.some(([, { ids }]) => matches(pattern, ids))) {
      problems.add(`no test begins with ${pattern}`);
    }
  }
  const resultOn = (place) => own.map(([, { ends }]) => ends[place]).reduce(worse, undefined) ?? "";
  const [embedded, real] = [resultOn("embedded"), resultOn("real")];
  for (const [test, { ends }] of own) {
    if (Object.values(ends).includes("failed")) {
      problems.add(`failed: ${test}`);
    }
  }
  if (embedded !== "passed") {
    problems.add(`no passed test on the embedded server: ${words}`);
  }
  counts.rows++;
  counts.both += embedded === "passed" && real === "passed" ? 1 : 0;
  counts.embedded += embedded === "passed" && real === "" ? 1 : 0;
  const more = own.length > shownTests ? `<br>and ${own.length - shownTests} more` : "";
  const names = own.slice(0, shownTests).map(([test]) => cell(test));
  return `| ${words} | ${embedded} | ${real || "-"} | ${names.join("<br>")}${more} |`;
}

const lines = [];
for (const [title, text] of parts) {
  lines.push(`## ${title}`, "", "| behaviour | embedded | real | tests |", "|---|---|---|---|");
  for (const row of text.trim().split("\n")) {
    const [words = "", ids = ""] = row.split(" :: ");
    lines.push(describe(words.trim(), ids.trim().split(" ")));
  }
  lines.push("");
}

const differences =
  load(readFileSync(`${root}test/conformance/expected-differences.yaml`, "utf8")) ?? [];
lines.push("## Differences", "");
if (differences.length === 0) {
  lines.push("Every case of the conformance suite has the same result on both servers.");
} else {
  lines.push("| case | fails on | reason |", "|---|---|---|");
  for (const { id, server, encoding, reason } of differences) {
    const where = encoding === undefined ? server : `${server}, in ${encoding}`;
    lines.push(`| ${id} | ${where} | ${cell(reason)} |`);
  }
}
lines.push("", "## Not emulated", "", "| feature | instead |", "|---|---|");
for (const [what, instead] of notEmulated) {
  lines.push(`| ${what} | ${instead} |`);
}

const summary = `${counts.rows} behaviours: ${counts.both} tested on both servers by the same tests, ${counts.embedded} on the embedded one only`;
const written = `${[
  "<!-- Written by .ci/parity.mjs from reports of test runs. -->",
  "# The embedded API server compared with a real one",
  "",
  "Behaviours of the embedded server, with the results of their tests on it and on kube-apiserver 1.37.1. The same case runs on both. `-` means",
  "that a real server does not have the feature, or that a test cannot make it show the behaviour. `test/black-box` compares the output of kubectl,",
  "a Go informer and @kubernetes/client-node on both.",
  "",
  `${summary}.`,
  "",
  ...lines,
]
  .join("\n")
  .trimEnd()}\n`;

if (problems.size > 0) {
  console.error([...problems].join("\n"));
}
if (isWriting) {
  writeFileSync(page, written);
} else if (readFileSync(page, "utf8") !== written) {
  problems.add("page");
  console.error("docs/parity.md differs from the run; write it with --write");
}
console.log(`${summary}; ${problems.size} problems`);
process.exit(problems.size > 0 ? 1 : 0);
