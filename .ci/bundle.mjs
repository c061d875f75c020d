// Writes the JavaScript of the published packages: one module per entry point, and one per part that is loaded lazily.
// Node then opens two dozen files instead of two hundred; opening files is most of the cost of an import
// (docs/decisions/0014-bundled-packages.md). Types stay as the compiler wrote them, one file per source.
//
//   tsc -b && node .ci/bundle.mjs
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../packages/", import.meta.url));

/** `api` is not bundled: its modules are data, each loaded when its group-version is needed. */
const packages = [
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

/**
 * Entry points of core that are functions on plain values only, and the packages that contain a copy of them: a program that
 * imports CEL alone would open eight files of core for 20 KB. Two copies of a function do the same; entry points with
 * classes or state, such as `KubeError`, stay imports.
 */
const copied = {
  packages: ["cel", "policy", "schema"],
  entryPoints: {
    "@typekube/core/internal/go-time": "core/src/time/go-time.ts",
    "@typekube/core/internal/json": "core/src/objects/json-entry.ts",
    "@typekube/core/internal/texts": "core/src/texts.ts",
  },
};

/**
 * Packages whose modules become one file, with the entry points that share it: every client opens them. Without this, the
 * bundler would write a file for each set of modules that a lazy part shares with the rest, dozens in all.
 */
const joined = {
  core: ["index.ts", "internal.ts", "streams.ts"],
  transport: ["index.ts", "internal.ts"],
  config: ["index.ts", "internal.ts"],
  client: ["index.ts", "internal.ts"],
  informer: ["index.ts", "internal.ts"],
};

/** Returns the sources below a folder. */
function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`);
}

/** Returns the modules that a source loads lazily. */
function lazyPartsOf(path) {
  const imports = readFileSync(path, "utf8").matchAll(/\bimport\(\s*"(\.[^"]+)\.js"/g);
  return [...imports].map(([, part]) => resolve(dirname(path), `${part}.ts`));
}

/**
 * Returns the plugins of esbuild that join a package: its entry points and lazy parts import all of its entry points. What
 * these have in common is then needed by all of them, and so becomes one file.
 */
function joiningPlugins(folder) {
  const source = `${root}${folder}/src`;
  const entries = (joined[folder] ?? []).map((name) => `${source}/${name}`);
  if (entries.length === 0) {
    return [];
  }
  const joining = new Set([...entries, ...sourcesIn(source).flatMap(lazyPartsOf)]);
  return [
    {
      name: "joined entry points",
      setup({ onLoad }) {
        onLoad({ filter: /\.ts$/ }, ({ path }) => {
          const others = entries.filter((entry) => entry !== path);
          const imports = others.map((entry) => `import ${JSON.stringify(entry)};\n`);
          return joining.has(path)
            ? { contents: imports.join("") + readFileSync(path, "utf8"), loader: "ts" }
            : undefined;
        });
      },
    },
  ];
}

/** Returns the plugins of esbuild that resolve the copied entry points to their sources. */
function pluginsOf(folder) {
  return copied.packages.includes(folder)
    ? [
        {
          name: "copied entry points",
          setup({ onResolve }) {
            onResolve({ filter: /^@typekube\/core\// }, ({ path }) =>
              Object.hasOwn(copied.entryPoints, path)
                ? { path: `${root}${copied.entryPoints[path]}`, sideEffects: false }
                : undefined,
            );
          },
        },
      ]
    : [];
}

/** Returns the source files behind a package's exports and commands. */
function entryPointsOf(folder) {
  const { exports, bin = {} } = JSON.parse(readFileSync(`${root}${folder}/package.json`, "utf8"));
  const sources = [
    // `./package.json` is exported unchanged.
    ...Object.values(exports)
      .filter((entry) => typeof entry === "object")
      .map((entry) => entry["@typekube/source"].replace("*", "**/*")),
    ...Object.values(bin).map((file) => file.replace("/dist/", "/src/").replace(/\.js$/, ".ts")),
  ];
  return sources.map((source) => `${root}${folder}/${source}`);
}

/** Removes the modules of an earlier build, whose names may differ from those of this build. */
function removeModules(dist) {
  for (const file of readdirSync(dist, { recursive: true })) {
    if (/\.js(\.map)?$/.test(file)) {
      rmSync(`${dist}/${file}`);
    }
  }
}

/**
 * Classes that users see printed. The bundler renames a class that refers to itself in its body, and Node would print
 * the new name.
 */
const printedClasses =
  /class _(KubeError|ResourceOperations|Client|Informer|Secret|ConfigProblem)\b/;

function assertClassNames(dist) {
  for (const file of readdirSync(dist, { recursive: true })) {
    const [, name] =
      (file.endsWith(".js") && printedClasses.exec(readFileSync(`${dist}/${file}`, "utf8"))) || [];
    if (name) {
      throw new Error(
        `${dist}/${file}: ${name} is printed as _${name}; let its body not name the class`,
      );
    }
  }
}

for (const folder of packages) {
  const dist = `${root}${folder}/dist`;
  removeModules(dist);
  await build({
    entryPoints: entryPointsOf(folder),
    outbase: `${root}${folder}/src`,
    outdir: dist,
    bundle: true,
    splitting: true,
    packages: "external",
    plugins: [...pluginsOf(folder), ...joiningPlugins(folder)],
    // The imports that join files are there for nothing else.
    logOverride: { "ignored-bare-import": "silent" },
    format: "esm",
    platform: "node",
    target: "node20.19",
    inject: [fileURLToPath(new URL("dispose-symbols.js", import.meta.url))],
    define: { "Symbol.dispose": "disposeSymbol", "Symbol.asyncDispose": "asyncDisposeSymbol" },
    chunkNames: "parts/[name]-[hash]",
    logLevel: "warning",
  });
  assertClassNames(dist);
}
