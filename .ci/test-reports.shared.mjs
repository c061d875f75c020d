// Reads JSON reports of test runs: results by the IDs that test titles carry.
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";

/**
 * Reads the command line of a script: the reports, and whether to write the page. Exits with a usage message when no
 * report is named.
 */
export function readArguments(script) {
  const reports = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
  if (reports.length === 0) {
    console.error(`usage: node .ci/${script}.mjs REPORT.json... [--write]`);
    process.exit(2);
  }
  return { reports, isWriting: process.argv.includes("--write") };
}

/** Returns every ID in a title; `RV11-RV13` counts as three. */
export function idsIn(name) {
  const ids = new Set();
  for (const [, prefix, from, to] of name.matchAll(/\b([A-Z]{1,3})(\d+)(?:-(?:\1)?(\d+))?\b/g)) {
    for (let number = Number(from); number <= Number(to ?? from); number++) {
      ids.add(prefix + number);
    }
  }
  return ids;
}

/** Merges two results of one test: the worse wins, and any result wins over a missing one. */
export function worse(one, other) {
  const order = ["failed", "passed", "not run", undefined];
  return order[Math.min(order.indexOf(one), order.indexOf(other))];
}

/**
 * Returns a map from ID to `file: title` to the result per place. `placeOf` names the place of a test from its file and
 * the titles above it; without `placeOf` there is one place, and a test counts as failed when it failed anywhere.
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
          // An ID in the title of a suite is shown with that title.
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

/** Escapes text for a table cell. */
export function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** Returns a map from ID to what users get instead, from the lines of a decision that begin with IDs. */
export function readDecisions(path) {
  const lines = readFileSync(path, "utf8").matchAll(/^- ([A-Z0-9, -]+): (.+(?:\n {2}.+)*)/gm);
  const decided = new Map();
  for (const [, ids, words] of lines) {
    for (const id of idsIn(ids)) {
      decided.set(id, words.replaceAll(/\n\s*/g, " "));
    }
  }
  return decided;
}

/** Writes a page of docs or compares it with the run, prints the summary, and ends the process with 1 for any problem. */
export function finishPage({ root, name, written, isWriting, problems, summary }) {
  const page = `${root}docs/${name}.md`;
  const all = [...problems];
  if (isWriting) {
    writeFileSync(page, written);
  } else if (readFileSync(page, "utf8") !== written) {
    all.push(`docs/${name}.md differs from the run; write it with --write`);
  }
  if (all.length > 0) {
    console.error(all.join("\n"));
  }
  console.log(`${summary}${all.length} problems`);
  process.exit(all.length > 0 ? 1 : 0);
}
