// The rows of docs/platforms.md: the platform, the prefixes of the full names of its tests, and the verdict when they
// pass: nothing for "works", `line` for "works with this setting", `because` for "does not work" with the reason.

const esm = "the `createRequire` banner of [bundling.md](bundling.md)";
const sqlite = '`commonjs({ ignore: ["node:sqlite"] })`, see [bundling.md](bundling.md)';
const noRequire =
  "its `require()` does not load ES modules (`ERR_REQUIRE_ESM`); `engines` lists the versions whose `require()` does";
const oldTypes = "the type definitions of Node need TypeScript 5.6";

function compiler(version, skipLibCheck, modes, note = {}) {
  return modes.map(([module, resolution]) => ({
    what: `TypeScript ${version}, module \`${module}\``,
    tests: [
      `typescript-${version} without @types/node in the project, skipLibCheck ${skipLibCheck} module ${module}, moduleResolution ${resolution}`,
    ],
    ...note,
  }));
}

const strictVersions = ["5.4", "5.6", "5.9", "7.0"];

/** Returns the row of a strict mode of the compiler, for every TypeScript version that has it. */
function strictMode(name, versions = strictVersions) {
  return {
    what: `\`${name}\`, TypeScript ${versions[0]} to ${versions.at(-1)}`,
    tests: versions.map((version) => `strict modes of typescript-${version} '${name}'`),
  };
}

const modes = [
  ["node16", "node16"],
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
];

export const parts = [
  {
    title: "Runtimes",
    rows: [
      ...["Node 20.19.0", "Node 22.12.0", "Node 24", "Node 26", "Bun 1.4"].map((name) => ({
        what: name,
        tests: [`runtimes '${name}' runs the program`],
      })),
      {
        what: "Deno 2.9",
        tests: ["runtimes 'Deno 2.9' runs the program"],
        line: "`--allow-net --allow-env=JEST_WORKER_ID,UNDICI_NO_WASM_SIMD`",
      },
      {
        what: "Deno 2.9 without `--allow-env`",
        tests: ["runtimes Deno without permission"],
        because: "undici reads two environment variables; the error names the flag",
      },
      {
        what: "`require()` from CommonJS",
        tests: ["Node requires the packages from CommonJS"],
      },
      {
        what: "Node 21",
        tests: ["runtimes 'Node 21' does not require"],
        because: noRequire,
      },
      {
        what: "Node 22.0 to 22.11",
        tests: ["runtimes 'Node 22.0.0' does not", "runtimes 'Node 22.11.0' does not"],
        because: noRequire,
      },
    ],
  },
  {
    title: "Bundlers",
    rows: [
      {
        what: "esbuild into CommonJS",
        tests: [
          "esbuild bundles the program into cjs",
          "esbuild-0.19 bundles the program into cjs",
        ],
      },
      {
        what: "esbuild into ES modules",
        tests: [
          "esbuild bundles the program into esm",
          "esbuild-0.19 bundles the program into esm",
        ],
        line: esm,
      },
      { what: "webpack 5", tests: ["webpack bundles a program that runs in Node"] },
      { what: "rollup 4", tests: ["rollup bundles for Node"], line: sqlite },
      {
        what: "Vite 7, server-side rendering",
        tests: ["Vite builds for server-side rendering"],
        line: '`build: { commonjsOptions: { ignore: ["node:sqlite"] } }`',
      },
      { what: "ncc", tests: ["ncc compiles into one file"] },
    ],
  },
  {
    title: "Test runners",
    rows: [
      {
        what: "Jest 30, ES modules",
        tests: ["Jest 30 runs tests in ES modules"],
        line: "`NODE_OPTIONS=--experimental-vm-modules`",
      },
      {
        what: "Jest 30, CommonJS",
        tests: ["Jest 30 runs tests in CommonJS with Babel"],
        line: "`transform` and `transformIgnorePatterns` of [bundling.md](bundling.md)",
      },
      ...["threads", "forks", "vmThreads", "vmForks"].map((pool) => ({
        what: `Vitest 4, pool \`${pool}\``,
        tests: [`Vitest runs tests in the pool ${pool}`],
      })),
    ],
  },
  {
    title: "Compilers",
    rows: [
      ...compiler("5.4", true, modes, { line: "`skipLibCheck: true`" }),
      {
        what: "TypeScript 5.4 without `skipLibCheck`",
        tests: ["TypeScript, modes that do not work TypeScript 5.4 without skipLibCheck"],
        because: oldTypes,
      },
      ...["5.6", "5.9", "7.0"].flatMap((version) => compiler(version, false, modes)),
      strictMode("strict"),
      strictMode("exactOptionalPropertyTypes"),
      strictMode("noUncheckedIndexedAccess"),
      strictMode("verbatimModuleSyntax"),
      strictMode("isolatedModules"),
      strictMode("isolatedDeclarations", strictVersions.slice(1)),
      {
        what: "All strict modes at once with `types: []`, TypeScript 5.4 to 7.0",
        tests: strictVersions.map(
          (version) =>
            `strict modes of typescript-${version} compiles with all strict options at once`,
        ),
      },
      {
        what: "`strict: false`",
        tests: ["TypeScript with strict switched off"],
      },
      {
        what: "`moduleResolution: node10`",
        tests: ["TypeScript, modes that do not work 5.9 with moduleResolution node10"],
        because: "it does not read `exports`; use `node16`, `nodenext` or `bundler`",
      },
      {
        what: "`module: node16` in a CommonJS file",
        tests: ["TypeScript, modes that do not work 5.9 with module node16"],
        because: "it rejects `require()` of ES modules (TS1479); use `nodenext`",
      },
    ],
  },
];
