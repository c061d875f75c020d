// Writes a page of behaviours: for each ID, the tests that carry it and their results, from the reports of real runs.
// A behaviour is described by the titles of its tests. One without a test needs a line in a decision that begins with
// its ID and says what users get instead, or stands among the open ones.
import { fileURLToPath } from "node:url";
import {
  cell,
  finishPage,
  readArguments,
  readDecisions,
  readReports,
} from "./test-reports.shared.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
/** Maximum number of tests named in a row. */
const shownTests = 2;

/**
 * Writes the page or compares it with the run, prints the summary, and ends the process with 1 for any problem.
 *
 * - `script`: name of the script, and of the page in docs.
 * - `decisions`: path of the decision from the root.
 * - `heading`, `intro`: first lines of the page; the intro is a list of lines.
 * - `parts`: title, letters and highest number of each part.
 * - `open`: what is not built yet, by ID.
 * - `files`: matches the files whose tests carry these IDs; others use the same letters for something else.
 */
export function behavioursPage({ script, decisions, heading, intro, parts, open, files }) {
  const { reports, isWriting } = readArguments(script);
  const tests = readReports(reports, root);
  const decided = readDecisions(root + decisions);
  const problems = [];
  const counts = { tested: 0, decided: 0, open: 0, tests: 0 };

  function describe(id) {
    const own = [...(tests.get(id) ?? [])]
      .filter(([test]) => files.test(test.split(": ")[0]))
      .map(([test, { "": ended }]) => [test, ended])
      .sort(([a], [b]) => (a < b ? -1 : 1));
    counts.tests += own.length;
    const failed = own.filter(([, ended]) => ended === "failed");
    problems.push(...failed.map(([test]) => `${id}: failed: ${test}`));
    if (own.length === 0) {
      if (decided.has(id)) {
        counts.decided++;
        return [decided.get(id), "decided"];
      }
      if (open.has(id)) {
        counts.open++;
        return [open.get(id), "open"];
      }
      problems.push(`${id}: neither a test nor a line in ${decisions}, nor open`);
      return ["", "missing"];
    }
    if (open.has(id)) {
      problems.push(`${id}: has a test, but stands among the open ones`);
    }
    counts.tested++;
    if (!own.some(([, ended]) => ended === "passed") && failed.length === 0) {
      problems.push(`${id}: none of its tests ran`);
    }
    const shown = own.slice(0, shownTests).map(([test]) => cell(test.replace(/^packages\//, "")));
    const more = own.length > shownTests ? "<br>and more" : "";
    const also = decided.has(id) ? `<br>Different on purpose: ${decided.get(id)}` : "";
    return [shown.join("<br>") + more + also, failed.length > 0 ? "failed" : "passed"];
  }

  const lines = [
    `<!-- Written by .ci/${script}.mjs from reports of test runs. -->`,
    `# ${heading}`,
    "",
    ...intro,
    "",
  ];
  for (const [title, prefix, last] of parts) {
    lines.push(`## ${title}`, "", "| ID | tests | result |", "|---|---|---|");
    for (let number = 1; number <= last; number++) {
      const id = `${prefix}${number}`;
      const [by, result] = describe(id);
      lines.push(`| ${id} | ${by} | ${result} |`);
    }
    lines.push("");
  }
  const total = counts.tested + counts.decided + counts.open;
  const summary = `${total} behaviours: ${counts.tested} tested, ${counts.decided} replaced by a decision, ${counts.open} open`;
  lines.splice(3 + intro.length, 0, `${summary}.`);
  const written = `${lines.join("\n").trimEnd()}\n`;

  finishPage({
    root,
    name: script,
    written,
    isWriting,
    problems,
    summary: `${summary} (${counts.tests} tests), `,
  });
}
