// A package's project references must equal its workspace dependencies; otherwise `tsc -b` builds in an order that
// works only by chance, and the compiler does not report it. The layers below are those of docs/ARCHITECTURE.md, bottom
// first.
import { readdirSync, readFileSync } from "node:fs";

const layers = [
  "api",
  "core",
  "cel",
  "policy",
  "schema",
  "transport",
  "config",
  "client",
  "informer",
  "crd",
  "controller",
  "typekube",
  "apiserver",
];
const root = new URL("../packages/", import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, root), "utf8"));
const folderOf = (name) => name.replace(/^@typekube\//, "");
const problems = [];

for (const folder of readdirSync(root)) {
  const { private: isPrivate, dependencies = {} } = read(`${folder}/package.json`);
  if (isPrivate) {
    continue;
  }
  const wanted = Object.keys(dependencies)
    .filter((name) => dependencies[name].startsWith("workspace:"))
    .map(folderOf)
    .sort();
  const references = (read(`${folder}/tsconfig.json`).references ?? [])
    .map(({ path }) => path.replace("../", ""))
    .sort();
  if (JSON.stringify(wanted) !== JSON.stringify(references)) {
    problems.push(
      `${folder}: package.json depends on [${wanted}] but tsconfig.json references [${references}]`,
    );
  }
  for (const below of wanted) {
    if (layers.indexOf(below) >= layers.indexOf(folder)) {
      problems.push(`${folder} depends on ${below}, which does not stand below it`);
    }
  }
}
for (const problem of problems) {
  console.error(problem);
}
console.log(`references and layers: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
