// Writes docs/api-coverage.md: for each row of the API's description, the tests that cover it and their results per
// server, from the reports of real runs:
//
//   KUBEBUILDER_ASSETS=... vitest run --project conformance --project unit --project types --reporter=json --outputFile=REPORT.json
//   node .ci/api-coverage.mjs REPORT.json... [--write]
//
// A row without a test shows its reason from api-coverage.rows.mjs, or "not tested". A failed test is a problem; without
// --write, an outdated page is one too.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parts, reasons } from "./api-coverage.rows.mjs";
import { cell, idsIn, readArguments, readReports, worse } from "./test-reports.shared.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const page = `${root}docs/api-coverage.md`;
/** Maximum number of tests named in a row. */
const shownTests = 3;

const { reports, isWriting } = readArguments("api-coverage");

/** Returns the server that a test ran on. Conformance cases are grouped by server. */
function placeOf(file, ancestorTitles) {
  if (file.startsWith("test/real-server/")) {
    return "real";
  }
  if (!file.startsWith("test/conformance/")) {
    return "alone";
  }
  if (ancestorTitles.some((title) => title.startsWith("real"))) {
    return "real";
  }
  return ancestorTitles.some((title) => title.startsWith("embedded")) ? "embedded" : "alone";
}

const tests = readReports(reports, root, placeOf);
const reasonOf = new Map(
  Object.entries(reasons).flatMap(([ids, reason]) => [...idsIn(ids)].map((id) => [id, reason])),
);
const counts = { rows: 0, shown: 0, later: 0, missing: 0, real: 0, embedded: 0 };
const problems = [];

/** Sorts conformance cases first. */
const rank = (test) => (test.startsWith("test/conformance/") ? `0${test}` : `1${test}`);

function describe(ids) {
  const own = new Map();
  for (const id of ids) {
    counts.rows++;
    for (const [test, places] of tests.get(id) ?? []) {
      own.set(test, places);
    }
    if (tests.has(id)) {
      counts.shown++;
    } else if (reasonOf.has(id)) {
      counts.later++;
    } else {
      counts.missing++;
    }
  }
  const sorted = [...own].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
  for (const [test, places] of sorted) {
    if (Object.values(places).includes("failed")) {
      problems.push(`failed: ${test}`);
    }
  }
  const reason = ids.map((id) => reasonOf.get(id)).find((one) => one !== undefined);
  if (sorted.length === 0) {
    return [reason ?? "not tested", "", "", ""];
  }
  const resultOn = (place) => {
    const results = sorted.map(([, places]) => places[place]);
    const result = results.reduce(worse, undefined);
    if (result === "passed") {
      counts[place] += ids.length;
    }
    return result ?? "";
  };
  const more = sorted.length > shownTests ? `<br>and ${sorted.length - shownTests} more` : "";
  const shown = sorted.slice(0, shownTests).map(([test]) => cell(test));
  const part = ids.length > 1 && reason ? `<br>(others: ${reason})` : "";
  return [
    shown.join("<br>") + more + part,
    resultOn("embedded"),
    resultOn("real"),
    resultOn("alone"),
  ];
}

const lines = [];
for (const [title, text] of parts) {
  lines.push(`## ${title}`, "");
  lines.push("| ID | behaviour | tests | embedded | real | alone |", "|---|---|---|---|---|---|");
  for (const row of text.trim().split("\n")) {
    const [, ids, words] = /^\s*(\S+) (.+)$/.exec(row);
    const [by, ...results] = describe([...idsIn(ids)]);
    lines.push(`| ${ids} | ${words} | ${by} | ${results.join(" | ")} |`);
  }
  lines.push("");
}
const summary =
  `${counts.rows} rows: ${counts.shown} with tests (${counts.embedded} on the embedded server, ${counts.real} on a real one), ` +
  `${counts.later} with a reason instead, ${counts.missing} not tested`;
const written = `${[
  "<!-- Written by .ci/api-coverage.mjs from reports of test runs. -->",
  "# The API, row by row",
  "",
  "Each row is a statement of the Kubernetes API documentation, with the tests that carry its ID and their results: on the embedded",
  "API server, on a real kube-apiserver, and alone (against hand-made responses, or on types). A row without a test has a reason.",
  "",
  `${summary}.`,
  "",
  ...lines,
]
  .join("\n")
  .trimEnd()}\n`;

if (problems.length > 0) {
  console.error([...new Set(problems)].join("\n"));
}
if (isWriting) {
  writeFileSync(page, written);
} else if (readFileSync(page, "utf8") !== written) {
  problems.push("page");
  console.error("docs/api-coverage.md differs from the run; write it with --write");
}
console.log(`${summary}; ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
