import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsumerProject, consumerProject, type Ended } from "./consumer-project.js";
import {
  binaryOf,
  hasRuntimes,
  installRuntimes,
  runtimes,
  runtimesWithoutRequire,
} from "./runtimes.js";
import { isolatedDeclarations, strictModes } from "./strict-modes.js";

let project: ConsumerProject;
beforeAll(async () => {
  project = await consumerProject();
});
afterAll(() => project?.[Symbol.asyncDispose]());

/** Loads a tool of the project. */
function tool<T>(name: string): T {
  return createRequire(project.path("package.json"))(name) as T;
}

/** Expects that `programs/program.js` printed everything. */
function expectAll({ code, stdout, stderr }: Ended): void {
  expect({ code, stderr, seen: stdout === "" ? undefined : JSON.parse(stdout) }).toEqual({
    code: 0,
    stderr: "",
    seen: {
      missing: [],
      data: { k: "2" },
      labels: { app: "x" },
      cached: "2",
      called: { exitCode: 0, stdout: "TYPED", answer: "SENT", proxied: [201, "POSTED"] },
      error: "KubeError",
    },
  });
}

describe("Node", () => {
  it("runs the program as an ES module", async () => {
    expectAll(await project.node(["program.js", project.server]));
  });

  it("requires the packages from CommonJS", async () => {
    const { code, stdout } = await project.node(["require.cjs", project.server]);
    expect([code, JSON.parse(stdout)]).toEqual([0, { kind: "Pod", error: "NotFound" }]);
  });

  it("prints an uncaught error under the name of its class", async () => {
    const { code, stderr } = await project.node(["uncaught.js"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^KubeError: \[Config\] the kubeconfig file .* does not exist$/m);
    expect(stderr).not.toContain("_KubeError");
  });
});

if (!hasRuntimes) {
  console.warn("SKIPPED: runtimes; their binaries are for Linux on x64");
}
describe.skipIf(!hasRuntimes)("runtimes", () => {
  beforeAll(installRuntimes);

  it.each(runtimes)("$name runs the program that uses every package", async (runtime) => {
    const args = [...runtime.args, "program.js", project.server];
    expectAll(await project.run(binaryOf(runtime), args));
  });

  it.each(runtimesWithoutRequire)("$name does not require the packages", async (runtime) => {
    const { code, stderr } = await project.run(binaryOf(runtime), ["require.cjs", project.server]);
    expect(code).toBe(1);
    expect(stderr).toContain("ERR_REQUIRE_ESM");
    const { engines } = tool<{ engines: { node: string } }>("./node_modules/typekube/package.json");
    expect(engines.node).toBe("^20.19.0 || >=22.12.0");
  });

  it("Deno without permission for undici's variables says which flag is missing", async () => {
    const [deno] = runtimes.filter(({ name }) => name.startsWith("Deno"));
    expect(deno).toBeDefined();
    const { code, stderr } = await project.run(binaryOf(deno as (typeof runtimes)[number]), [
      "run",
      "--no-prompt",
      "--allow-net",
      "program.js",
      project.server,
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain("--allow-env=JEST_WORKER_ID,UNDICI_NO_WASM_SIMD");
  });
});

interface Esbuild {
  build(options: object): Promise<unknown>;
}

/** The line of docs/bundling.md for ES module bundles: undici is CommonJS and calls require. */
const requireBanner =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

describe.each(["esbuild", "esbuild-0.19"])("%s", (version) => {
  it.each([
    ["cjs", {}],
    ["esm", { banner: { js: requireBanner } }],
    ["esm", { banner: { js: requireBanner }, splitting: true }],
    ["cjs", { minify: true, keepNames: true }],
  ] as const)("bundles the program into %s with %j", async (format, options) => {
    const outdir = `out-${version}-${format}-${Object.keys(options).join("-")}`;
    await tool<Esbuild>(version).build({
      absWorkingDir: project.folder,
      entryPoints: ["program.js"],
      bundle: true,
      platform: "node",
      target: "node20.19",
      format,
      outdir,
      outExtension: { ".js": format === "cjs" ? ".cjs" : ".mjs" },
      logLevel: "silent",
      ...options,
    });
    expectAll(
      await project.node([`${outdir}/program.${format === "cjs" ? "cjs" : "mjs"}`, project.server]),
    );
  });
});

it("webpack bundles a program that runs in Node", async () => {
  const webpack =
    tool<
      (
        options: object,
        done: (error: unknown, stats: { hasErrors(): boolean; toString(): string }) => void,
      ) => void
    >("webpack");
  await new Promise<void>((resolve, reject) =>
    webpack(
      {
        mode: "production",
        target: "node20.19",
        context: project.folder,
        entry: "./program.js",
        output: { path: project.path("out-webpack"), filename: "program.cjs" },
      },
      (error, stats) => {
        if (error || stats.hasErrors()) {
          reject(error ?? new Error(stats.toString()));
        } else {
          resolve();
        }
      },
    ),
  );
  expectAll(await project.node(["out-webpack/program.cjs", project.server]));
});

it("rollup bundles for Node, with undici's optional node:sqlite ignored", async () => {
  const { rollup } = tool<{
    rollup(options: object): Promise<{ write(options: object): Promise<unknown> }>;
  }>("rollup");
  const plugin = (name: string) => {
    const loaded = tool<{ default?: (options?: object) => unknown }>(`@rollup/plugin-${name}`);
    return loaded.default ?? (loaded as (options?: object) => unknown);
  };
  const bundle = await rollup({
    input: project.path("program.js"),
    external: [/^node:/],
    onwarn: () => {},
    plugins: [
      (plugin("node-resolve") as (options: object) => unknown)({
        exportConditions: ["node"],
        preferBuiltins: true,
      }),
      // The line of docs/bundling.md.
      (plugin("commonjs") as (options: object) => unknown)({ ignore: ["node:sqlite"] }),
      (plugin("json") as () => unknown)(),
    ],
  });
  await bundle.write({
    dir: project.path("out-rollup"),
    format: "es",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  expectAll(await project.node(["out-rollup/program.mjs", project.server]));
});

it("Vite builds for server-side rendering with everything in the bundle, undici's optional node:sqlite ignored", async () => {
  const { build } = (await import(createRequire(project.path("package.json")).resolve("vite"))) as {
    build(options: object): Promise<unknown>;
  };
  await build({
    root: project.folder,
    configFile: false,
    logLevel: "silent",
    build: {
      ssr: "program.js",
      outDir: "out-vite",
      target: "node20",
      // The line of docs/bundling.md.
      commonjsOptions: { ignore: ["node:sqlite"] },
    },
    ssr: { noExternal: true },
  });
  expectAll(await project.node(["out-vite/program.js", project.server]));
});

it("ncc compiles into one file", async () => {
  const { code, stdout, stderr } = await project.node([
    project.path("node_modules/@vercel/ncc/dist/ncc/cli.js"),
    "build",
    "program.js",
    "-o",
    "out-ncc",
    "-q",
  ]);
  expect([code, stdout + stderr]).toEqual([0, expect.anything()]);
  expectAll(await project.node(["out-ncc/index.js", project.server]));
});

describe("Jest 30", () => {
  const jest = (file: string, config: object, env: Record<string, string> = {}) =>
    project.node(
      [
        project.path("node_modules/jest/bin/jest.js"),
        "--ci",
        "--rootDir",
        project.folder,
        "--config",
        JSON.stringify({
          testEnvironment: "node",
          transform: {},
          testMatch: [`**/${file}`],
          ...config,
        }),
      ],
      env,
    );

  it("runs tests in ES modules with --experimental-vm-modules", async () => {
    const { code, stderr } = await jest(
      "jest-esm.test.js",
      {},
      { NODE_OPTIONS: "--experimental-vm-modules" },
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 passed")]);
  });

  it("runs tests in CommonJS with Babel, which must transform the packages, too", async () => {
    const { code, stderr } = await jest("jest-commonjs.test.cjs", {
      // The lines of docs/bundling.md.
      transform: {
        "\\.[cm]?js$": [
          "babel-jest",
          { presets: [["@babel/preset-env", { targets: { node: "current" } }]] },
        ],
      },
      transformIgnorePatterns: [
        "/node_modules/(?!(typekube|@typekube|p-retry|is-network-error|js-yaml)/)",
      ],
    });
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 passed")]);
  });
});

describe("Vitest", () => {
  it.each(["threads", "forks", "vmThreads", "vmForks"])(
    "runs tests in the pool %s",
    async (pool) => {
      const { code, stdout, stderr } = await project.node([
        project.path("node_modules/vitest/vitest.mjs"),
        "run",
        "--pool",
        pool,
        "vitest.test.js",
      ]);
      expect([code, stdout + stderr]).toEqual([0, expect.stringContaining("1 passed")]);
    },
  );
});

/** Compiles files with a compiler of the project. */
async function compile(
  version: string,
  files: string | readonly string[],
  options: object,
): Promise<Ended> {
  await project.write(
    "tsconfig.json",
    JSON.stringify({
      compilerOptions: {
        noEmit: true,
        strict: true,
        target: "es2022",
        lib: ["es2023", "esnext.disposable"],
        types: [],
        ...options,
      },
      files: [files].flat(),
    }),
  );
  return project.node([project.path(`node_modules/${version}/bin/tsc`), "-p", "."]);
}

describe.each([
  // The type definitions of Node need TypeScript 5.6, so older compilers must not check libraries.
  ["typescript-5.4", true],
  ["typescript-5.6", false],
  ["typescript-5.9", false],
  ["typescript-7.0", false],
] as const)("%s without @types/node in the project, skipLibCheck %s", (version, skipLibCheck) => {
  it.each([
    ["node16", "node16"],
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])("module %s, moduleResolution %s", async (module, moduleResolution) => {
    const { code, stdout } = await compile(version, "typed.ts", {
      skipLibCheck,
      module,
      moduleResolution,
    });
    expect([code, stdout]).toEqual([0, ""]);
  });
});

describe.each(["typescript-5.4", "typescript-5.6", "typescript-5.9", "typescript-7.0"])(
  "strict modes of %s",
  (version) => {
    const modes =
      version === "typescript-5.4" ? strictModes : [...strictModes, isolatedDeclarations];
    const base = {
      skipLibCheck: version === "typescript-5.4",
      module: "nodenext",
      moduleResolution: "nodenext",
    };

    it.each(modes)(
      "$name reports only the deliberate mistake",
      async ({ options, mistake, error }) => {
        await project.write("mistake.ts", mistake);
        const { stdout } = await compile(version, ["strict.ts", "mistake.ts"], {
          ...base,
          ...options,
        });
        const lines = stdout.split("\n").filter((line) => /^\S/.test(line));
        expect(lines).toEqual([expect.stringMatching(new RegExp(`^mistake\\.ts\\(.*${error}:`))]);
      },
    );

    it("compiles with all strict options at once", async () => {
      const options = Object.assign({}, base, ...modes.map((mode) => mode.options)) as object;
      const { code, stdout } = await compile(version, ["strict.ts"], options);
      expect([code, stdout]).toEqual([0, ""]);
    });
  },
);

it("TypeScript with strict switched off compiles a program against the packages", async () => {
  const options = { strict: false, module: "nodenext", moduleResolution: "nodenext" };
  await project.write("mistake.ts", strictModes[0]?.mistake ?? "");
  const files = ["strict.ts", "mistake.ts"];
  const { code, stdout } = await compile("typescript-5.9", files, {
    skipLibCheck: false,
    ...options,
  });
  expect([code, stdout]).toEqual([0, ""]);
});

describe("TypeScript, modes that do not work", () => {
  it("TypeScript 5.4 without skipLibCheck fails in the types of Node", async () => {
    const options = { skipLibCheck: false, module: "nodenext", moduleResolution: "nodenext" };
    const { code, stdout } = await compile("typescript-5.4", "typed.ts", options);
    expect(code).not.toBe(0);
    expect(stdout).toContain("node_modules/@types/node/");
  });

  it("5.9 with moduleResolution node10", async () => {
    const options = { skipLibCheck: true, module: "es2022", moduleResolution: "node10" };
    const { code, stdout } = await compile("typescript-5.9", "typed.ts", options);
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/TS2307.*'typekube/);
  });

  it("5.9 with module node16 in a CommonJS file, where nodenext works", async () => {
    await project.write("typed.cts", await readFile(project.path("typed.ts"), "utf8"));
    const options = (module: string) => ({ skipLibCheck: true, module, moduleResolution: module });
    const { stdout } = await compile("typescript-5.9", "typed.cts", options("node16"));
    expect(stdout).toContain("TS1479");
    const nodenext = await compile("typescript-5.9", "typed.cts", options("nodenext"));
    expect([nodenext.code, nodenext.stdout]).toEqual([0, ""]);
  });
});
