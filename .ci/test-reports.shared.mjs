// What JSON reports of test runs say about IDs that tests carry in their names.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

/** What the command line of a script says: its reports, and whether it writes its page. Ends the process without reports. */
export function readArguments(script) {
  const reports = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
  if (reports.length === 0) {
    console.error(`usage: node .ci/${script}.mjs REPORT.json... [--write]`);
    process.exit(2);
  }
  return { reports, isWriting: process.argv.includes("--write") };
}

/** Every ID that a name carries; `RV11-RV13` is three. */
export function idsIn(name) {
  const ids = new Set();
  for (const [, prefix, from, to] of name.matchAll(/\b([A-Z]{1,3})(\d+)(?:-(?:\1)?(\d+))?\b/g)) {
    for (let number = Number(from); number <= Number(to ?? from); number++) {
      ids.add(prefix + number);
    }
  }
  return ids;
}

/** What stands for two ends of one test: worse wins, and an end wins over none. */
export function worse(one, other) {
  const order = ["failed", "passed", "not run", undefined];
  return order[Math.min(order.indexOf(one), order.indexOf(other))];
}

/**
 * ID -> `file: title` -> how it ended, in a map of its own for each place that `placeOf` tells of a test (its file and the titles
 * above it); without one all places are one, and a test fails when it fails anywhere.
 */
export function readReports(reports, root, placeOf = () => "") {
  const found = new Map();
  for (const report of reports) {
    for (const { name, assertionResults } of JSON.parse(readFileSync(report, "utf8")).testResults) {
      const file = relative(root, name);
      for (const { title, ancestorTitles, status } of assertionResults) {
        for (const id of idsIn([...ancestorTitles, title].join(" "))) {
          const tests = found.get(id) ?? new Map();
          found.set(id, tests);
          // An ID that stands over a group of tests is shown with it.
          const group = ancestorTitles.find((ancestor) => idsIn(ancestor).has(id));
          const own = idsIn(title).has(id) || group === undefined ? title : `${group} > ${title}`;
          const key = `${file}: ${own}`;
          const ended = status === "passed" || status === "failed" ? status : "not run";
          const places = tests.get(key) ?? {};
          tests.set(key, places);
          const place = placeOf(file, ancestorTitles);
          places[place] = worse(places[place], ended);
        }
      }
    }
  }
  return found;
}

/** Text in the cell of a table. */
export function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
