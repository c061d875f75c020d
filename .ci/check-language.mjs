// Checks for plain English: comments, test titles and pages open with a verb or a noun, and use the field's words.
// Reads every file that git tracks, including generated pages, but not generated code and foreign data.
//
//   node .ci/check-language.mjs [--list [RULE]] [--write]
//
// Counts must not grow: `language.baseline.json` holds the remaining violations of each rule, and --write lowers them.
// Justified exceptions are listed in `language.allowed.mjs` with their reasons.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { allowed } from "./language.allowed.mjs";
import { findingsIn, rules } from "./language.rules.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const baselineFile = `${root}.ci/language.baseline.json`;
const [listFlag, listed] = process.argv.slice(2).filter((argument) => argument !== "--write");
const isListing = listFlag === "--list";

const foreign =
  /(^|\/)(generated|fixtures|peers|corpus|facts|dist|node_modules)\/|^\.ci\/language\./;
const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.(?:ts|mjs|js|md|go)$|^\.ci\/run$/.test(file) && !foreign.test(file));

const findings = files.flatMap((file) =>
  findingsIn(file, readFileSync(`${root}${file}`, "utf8")).map((finding) => ({ file, ...finding })),
);
const isAllowed = ({ file, rule, text }) =>
  allowed.some((entry) => entry.file === file && entry.rule === rule && text.includes(entry.text));
const open = findings.filter((finding) => !isAllowed(finding));

const unused = allowed.filter(
  (entry) =>
    !findings.some(
      ({ file, rule, text }) =>
        entry.file === file && entry.rule === rule && text.includes(entry.text),
    ),
);
for (const { file, rule, text } of unused) {
  console.log(
    `language.allowed.mjs: ${file} has no "${text}" (${rule}) any more; remove the entry`,
  );
}

const counts = Object.fromEntries(
  rules.map(({ name }) => [name, open.filter(({ rule }) => rule === name).length]),
);
const baseline = existsSync(baselineFile) ? JSON.parse(readFileSync(baselineFile, "utf8")) : {};
let problems = unused.length;
for (const { name, instead } of rules) {
  const most = baseline[name] ?? 0;
  const grew = counts[name] > most;
  problems += grew ? 1 : 0;
  if (counts[name] > 0 || most > 0) {
    console.log(`${grew ? "GREW " : ""}${name}: ${counts[name]} (at most ${most}); ${instead}`);
  }
  if (grew || (isListing && (listed === undefined || listed === name))) {
    for (const { file, line, text } of open.filter(({ rule }) => rule === name)) {
      console.log(`  ${file}:${line}: ${text}`);
    }
  }
}
console.log(`${files.length} files, ${open.length} findings, ${problems} problems`);
if (process.argv.includes("--write")) {
  const lower = Object.entries(counts)
    .map(([name, count]) => [name, Math.min(count, baseline[name] ?? count)])
    .filter(([, count]) => count > 0);
  writeFileSync(baselineFile, `${JSON.stringify(Object.fromEntries(lower), null, 2)}\n`);
}
process.exit(problems > 0 ? 1 : 0);
