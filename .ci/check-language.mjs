// Plain English: comments, test titles and pages open with a verb or a noun, and use the field's words. Reads every file
// that git tracks, generated pages included; generated code and foreign data are left out.
//
//   node .ci/check-language.mjs
//
// A place that is right as it stands is listed in `language.allowed.mjs` with its reason.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { allowed } from "./language.allowed.mjs";
import { findingsIn, rules } from "./language.rules.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const foreign =
  /(^|\/)(generated|fixtures|peers|corpus|facts|dist|node_modules)\/|^\.ci\/language\./;
const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.(?:ts|mjs|js|md|go)$|^\.ci\/run$/.test(file) && !foreign.test(file))
  // A file that is deleted and not yet committed.
  .filter((file) => existsSync(root + file));

const findings = files.flatMap((file) =>
  findingsIn(file, readFileSync(root + file, "utf8")).map((finding) => ({ file, ...finding })),
);
const allows = (entry, { file, rule, text }) =>
  entry.file === file && entry.rule === rule && text.includes(entry.text);
const open = findings.filter((finding) => !allowed.some((entry) => allows(entry, finding)));
const unused = allowed.filter((entry) => !findings.some((finding) => allows(entry, finding)));

for (const { name, instead } of rules) {
  const broken = open.filter(({ rule }) => rule === name);
  if (broken.length > 0) {
    console.log(`${name}: ${instead}`);
  }
  for (const { file, line, text } of broken) {
    console.log(`  ${file}:${line}: ${text}`);
  }
}
for (const { file, rule, text } of unused) {
  console.log(
    `language.allowed.mjs: ${file} has no "${text}" (${rule}) any more; remove the entry`,
  );
}
console.log(`${files.length} files, ${open.length} findings, ${unused.length} unused exceptions`);
process.exit(open.length + unused.length > 0 ? 1 : 0);
