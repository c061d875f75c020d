// Checks the built types with the oldest and the newest supported compiler and with every module resolution: programs
// that must compile, and the mistakes in docs/compile-errors.md, whose compiler messages must match the page.
// `skipLibCheck` is off.
//
//   pnpm build && node .ci/check-types.mjs
//
// The first run installs the older compilers.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const compilersFolder = `${root}test/types/compilers/`;
const programsFolder = `${root}test/types/programs/`;
// Ignored by git, and inside the tree so that node_modules are found.
const scratch = `${root}test/types/dist/`;

const compilers = {
  5.6: `${compilersFolder}node_modules/typescript-5.6/bin/tsc`,
  5.9: `${compilersFolder}node_modules/typescript-5.9/bin/tsc`,
  7: `${root}node_modules/typescript/bin/tsc`,
};
/** Module resolutions, each with its module format. */
const resolutions = { node16: "node16", nodenext: "nodenext", bundler: "esnext" };

if (!existsSync(`${compilersFolder}node_modules`)) {
  console.log("Installing the older compilers (once) ...");
  const options = { cwd: compilersFolder, stdio: "inherit" };
  spawnSync("npm", ["ci", "--ignore-scripts", "--loglevel=error"], options);
}

/** Compiles files and returns the compiler's output. */
function compile(compiler, moduleResolution, files) {
  writeFileSync(
    `${scratch}tsconfig.json`,
    JSON.stringify({
      compilerOptions: {
        noEmit: true,
        strict: true,
        skipLibCheck: false,
        target: "es2022",
        lib: ["es2023", "esnext.disposable"],
        types: ["node"],
        module: resolutions[moduleResolution],
        moduleResolution,
        noErrorTruncation: true,
      },
      files,
    }),
  );
  const options = { cwd: scratch, encoding: "utf8", timeout: 120_000 };
  const { status, stdout, error } = spawnSync(process.execPath, [compiler, "-p", scratch], options);
  return { failed: status !== 0, output: `${stdout ?? ""}${error?.message ?? ""}` };
}

/**
 * Reads the page's mistakes. The page's first block is prepended to every code block; a text block is the message
 * expected for the code block before it.
 */
function mistakes() {
  const page = readFileSync(`${root}docs/compile-errors.md`, "utf8");
  const [beginning, ...blocks] = [...page.matchAll(/```(ts|text)\n([\s\S]*?)```/g)];
  const found = [];
  for (let i = 0; i < blocks.length; i += 2) {
    found.push({ code: `${beginning[2]}${blocks[i][2]}`, sentence: blocks[i + 1][2].trim() });
  }
  return found;
}

/** Code in which an editor completes a path at the bar, and a path that it must offer. */
const completions = [
  ['client.resource(Pod, "prod").get("web-0", { fields: ["spec.|"] });', "spec.nodeName"],
  [
    'client.resource(Pod, "prod").list({ fields: ["spec.containers.|"] });',
    "spec.containers.image",
  ],
  ['client.informer(Pod, { fields: ["metadata.labels", "|"] });', "status.phase"],
  ['keepFields(Pod, ["spec.|"]);', "spec.nodeName"],
  ['keepFields(Pod, ["metadata.labels", "status.|"]);', "status.phase"],
];

/** Returns what an editor offers at the bar. */
function offered(code) {
  const ts = createRequire(import.meta.url)(
    `${compilersFolder}node_modules/typescript-5.9/lib/typescript.js`,
  );
  const [before, after] = `${beginningOfPage()}${code}`.split("|");
  const file = `${scratch}completed.ts`;
  writeFileSync(file, `${before}${after}`);
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) =>
      existsSync(name) ? ts.ScriptSnapshot.fromString(readFileSync(name, "utf8")) : undefined,
    getCurrentDirectory: () => scratch,
    getCompilationSettings: () => ({
      strict: true,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
    }),
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  });
  const found = service.getCompletionsAtPosition(file, before.length, {});
  return found?.entries.map(({ name }) => name) ?? [];
}

/** Returns the page's first block, which imports what its other blocks use. */
function beginningOfPage() {
  const page = readFileSync(`${root}docs/compile-errors.md`, "utf8");
  return page.match(/```ts\n([\s\S]*?)```/)[1];
}

const problems = [];
let checks = 0;
const programs = readdirSync(programsFolder).map((file) => `${programsFolder}${file}`);
mkdirSync(scratch, { recursive: true });
// Files here are ES modules, as in any package that can import an ES module.
writeFileSync(`${scratch}package.json`, '{ "type": "module" }');
const wrong = mistakes().map(({ code, sentence }, i) => {
  const name = `mistake-${i}.ts`;
  writeFileSync(`${scratch}${name}`, code);
  return { name, sentence, code };
});
for (const [version, compiler] of Object.entries(compilers)) {
  if (!existsSync(compiler)) {
    problems.push(`TypeScript ${version} is not installed`);
    continue;
  }
  for (const resolution of Object.keys(resolutions)) {
    checks += programs.length;
    const { failed, output } = compile(compiler, resolution, programs);
    if (failed) {
      problems.push(`TypeScript ${version}, ${resolution}: programs do not compile:\n${output}`);
    }
  }
  const files = wrong.map(({ name }) => `${scratch}${name}`);
  const { output } = compile(compiler, "nodenext", files);
  // A diagnostic begins with its file name; the lines until the next one belong to it.
  const diagnostics = output.split(/\n(?=\S)/);
  for (const { name, sentence, code } of wrong) {
    checks++;
    const said = diagnostics.filter((one) => one.startsWith(name)).join("\n");
    if (!said.includes(sentence)) {
      const line = code.trim().split("\n").at(-1);
      problems.push(`TypeScript ${version}: of \`${line}\` not "${sentence}" but:\n${said}`);
    }
  }
}
for (const [code, path] of completions) {
  checks++;
  const paths = offered(code);
  if (!paths.includes(path)) {
    problems.push(`${code} offers ${paths.length} paths, and not ${path}`);
  }
}
rmSync(scratch, { recursive: true });
if (problems.length > 0) {
  console.error(problems.join("\n"));
}
console.log(
  `types: ${checks} checks under TypeScript ${Object.keys(compilers).join(", ")}, ${problems.length} problems`,
);
process.exit(problems.length > 0 ? 1 : 0);
