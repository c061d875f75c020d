// Writes or compares the API reports: every export of every published entry point with its signature, one file each in
// docs/api-reports, so that a review shows each change of the public surface. Every export must have a doc comment. The
// first run installs the tools of docs/.
//
//   pnpm build && node .ci/api-report.mjs [--write]
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const isWriting = process.argv.includes("--write");
const root = fileURLToPath(new URL("../", import.meta.url));
const docs = `${root}docs/`;
const reports = `${docs}api-reports/`;

if (!existsSync(`${docs}node_modules`)) {
  console.log("Installing the tools of docs/ (once) ...");
  const options = { cwd: docs, stdio: "inherit" };
  spawnSync("npm", ["ci", "--ignore-scripts", "--loglevel=error"], options);
}
const { Extractor, ExtractorConfig } = createRequire(docs)("@microsoft/api-extractor");

/** Entry points without a report: generated types of the API's groups, and those that semver does not cover. */
const isLeftOut = (name) =>
  /^\.\/(?:package\.json|api\/|internal|envtest\/internal|.*\*)/.test(name);

const packages = [
  "api",
  "apiserver",
  "cel",
  "client",
  "config",
  "core",
  "crd",
  "informer",
  "controller",
  "policy",
  "schema",
  "transport",
  "typekube",
];
const entries = packages.flatMap((folder) => {
  const { name, exports } = JSON.parse(readFileSync(`${root}packages/${folder}/package.json`));
  return Object.entries(exports)
    .filter(([subpath]) => !isLeftOut(subpath))
    .map(([subpath, { types }]) => ({
      folder: `${root}packages/${folder}`,
      types: join(root, "packages", folder, types),
      report: `${name.replace("@typekube/", "")}${subpath.slice(1).replaceAll("/", "-")}`,
    }));
});

const scratch = mkdtempSync(join(tmpdir(), "typekube-api-"));
mkdirSync(reports, { recursive: true });
let changes = 0;

function silence(message) {
  message.handled = true;
}

for (const { folder, types, report } of entries) {
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: `${folder}/package.json`,
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: types,
      // Not `api`: every built-in kind would be in each report.
      bundledPackages: [
        "cel",
        "client",
        "config",
        "controller",
        "core",
        "crd",
        "informer",
        "policy",
        "schema",
        "transport",
        "typekube",
      ].map((one) => `@typekube/${one}`),
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: "esnext",
            lib: ["esnext"],
            module: "nodenext",
            moduleResolution: "nodenext",
            strict: true,
            skipLibCheck: true,
            types: ["node"],
            typeRoots: [`${root}node_modules/@types`],
          },
          files: [types],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: report,
        // Types that signatures use without exporting them are part of the surface, too.
        includeForgottenExports: /^(?:typekube|apiserver)$/.test(report),
        reportFolder: isWriting ? reports : scratch,
        reportTempFolder: join(scratch, "temporary"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
  });
  Extractor.invoke(config, { localBuild: true, messageCallback: silence });
  const file = `${report}.api.md`;
  const wanted = readFileSync(join(isWriting ? reports : scratch, file), "utf8");
  const kept = existsSync(reports + file) ? readFileSync(reports + file, "utf8") : "";
  if (kept !== wanted) {
    changes += 1;
    console.log(`docs/api-reports/${file} does not match the exports of ${types}:`);
    spawnSync("diff", ["-u", reports + file, join(scratch, file)], { stdio: "inherit" });
  }
}
const known = new Set(entries.map(({ report }) => `${report}.api.md`));
for (const file of readdirSync(reports).filter((one) => !known.has(one))) {
  changes += 1;
  console.log(`docs/api-reports/${file} belongs to no entry point`);
  if (isWriting) {
    rmSync(reports + file);
  }
}
rmSync(scratch, { recursive: true });

/** Exports whose declaration has no doc comment; of overloads, one must have it. */
const undocumented = entries.flatMap(({ report }) => {
  const text = readFileSync(`${reports}${report}.api.md`, "utf8");
  const found = text.matchAll(
    /^\/\/ @public( \(undocumented\))?\nexport (?:const|function|class|interface|type) (\w+)/gm,
  );
  const documented = new Map();
  for (const [, lacksComment, name] of found) {
    documented.set(name, documented.get(name) || lacksComment === undefined);
  }
  return [...documented].filter(([, is]) => !is).map(([name]) => `${report}: ${name}`);
});
for (const one of undocumented) {
  console.log(`no doc comment: ${one}`);
}

/** The most that the root of typekube may export, so that a reader takes it in. */
const most = { values: 42, types: 64 };
const names = readFileSync(`${reports}typekube.api.md`, "utf8").match(
  /^export (?:(?:const|function|class|interface|type) \w+|\{ \w+ \})/gm,
);
const values = Object.keys(await import(`${root}packages/typekube/dist/index.js`)).length;
// A function with overloads is listed once for each.
const types = new Set(names).size - values;
const isTooLarge = values > most.values || types > most.types;
console.log(
  `typekube exports ${values} values and ${types} types, at most ${most.values} and ${most.types}`,
);
const mustReview = changes > 0 && !isWriting;
console.log(`${entries.length} entry points, ${changes} changes`);
if (mustReview) {
  console.log("review them, then run this with --write");
}
process.exit(mustReview || isTooLarge || undocumented.length > 0 ? 1 : 0);
