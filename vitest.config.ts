import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

// Tests run on the sources: no build comes first.
const conditions = ["@typekube/source"];

/** Quick tests that Windows cannot run, with the reason that is printed there. */
const posixOnly: Readonly<Record<string, string>> = {
  "packages/apiserver/test/{listen,recording,save-objects,serve}.test.ts": "file modes, signals",
  "packages/apiserver/test/memory-containers/files.test.ts": "file modes, symbolic links",
  "packages/bench/test/*.test.ts": "signals; benchmarks are for Linux and macOS",
  "packages/client/test/write/default-field-manager.test.ts": "symbolic links",
  "packages/client/test/pods/{files*,terminate,verify-output}.test.ts":
    "the programs of a container, file modes, symbolic links",
  "packages/config/test/{auth-refresh,exec/*}.test.ts": "programs that begin with #!",
  "packages/config/test/{write/modify-kubeconfig,kubeconfig/mounted-kubeconfig}.test.ts":
    "file modes, symbolic links",
  "test/conformance/pods.test.ts": "the programs of containers",
  "test/hostile/kubeconfig/files.test.ts": "named pipes, devices, symbolic links",
  "packages/transport/test/tls/tls-files.test.ts": "symbolic links",
  "packages/typekube/test/{canary,connecting-page,no-sync-calls}.test.ts":
    "programs that begin with #!",
  "packages/typekube/test/embedded-server-page.test.ts": "file modes",
};
/**
 * Unit tests that change or measure their process: modules loaded so far, subscribers of diagnostics channels, memory,
 * tables that decoders fill, listeners for rejections.
 */
const isolated = [
  "packages/typekube/test/**/*.test.ts",
  "packages/apiserver/test/check/{fix,reading-errors}.test.ts",
  "packages/apiserver/test/explore/*.test.ts",
  "packages/config/test/kubeconfig/mounted-kubeconfig.test.ts",
  "packages/core/test/learned-tables.test.ts",
  "packages/transport/test/{body/chunk-memory,observe/observe}.test.ts",
];

/** Searches of failures: thousands of runs of operators. */
const searches = ["examples/operator/explore.test.ts", "test/explore/*.test.ts"];

/** Test files whose cases run on one server after the other. */
const cases = [
  "test/conformance/{conformance,controllers,fresh-cluster,informer,plain-server,pods}.test.ts",
];

/** Unit tests that have cases on a real kube-apiserver, too. */
const withRealServer = [
  "packages/core/test/codecs/yaml/yaml-real-server.test.ts",
  "packages/informer/test/{custom-resources,shards}.test.ts",
];

const skipped = process.platform === "win32" ? Object.entries(posixOnly) : [];
for (const [files, reason] of skipped) {
  console.warn(`SKIPPED on Windows: ${files} (${reason})`);
}

function project(
  name: string,
  test: NonNullable<TestProjectInlineConfiguration["test"]>,
): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...test } };
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Informers of tests meet errors on purpose, most of them without an onError.
    execArgv: ["--disable-warning=TYPEKUBE_WATCH"],
    // Tests wait for sockets and other processes as often as they compute.
    maxWorkers: 2 * availableParallelism(),
    // A machine that does other work at the same time must fail no test; a test that hangs fails all the same.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 200_000 } },
    projects: [
      // The quick command, `pnpm test`.
      project("unit", {
        include: [
          "packages/*/test/**/*.test.ts",
          "test/hostile/**/*.test.ts",
          "examples/operator/*.test.ts",
        ],
        exclude: [
          ...isolated,
          ...searches,
          "**/*.memory.test.ts",
          ...skipped.map(([files]) => files),
        ],
        isolate: false,
        env: { TYPEKUBE_REAL_SERVER: "off" },
      }),
      project("isolated", {
        include: isolated,
        exclude: skipped.map(([files]) => files),
        env: { TYPEKUBE_REAL_SERVER: "off" },
      }),
      // The cases on the embedded API server; `real` has them on a real one.
      project("conformance", {
        include: cases,
        exclude: skipped.map(([files]) => files),
        isolate: false,
        env: { TYPEKUBE_REAL_SERVER: "off" },
      }),
      project("types", {
        include: [],
        typecheck: {
          enabled: true,
          only: true,
          include: ["packages/*/test/**/*.test-d.ts"],
          tsconfig: "./tsconfig.test.json",
        },
      }),
      // The long command, `pnpm test:long`; `pnpm test:all` runs everything.
      project("fuzz", {
        include: [
          "test/hostile/server/*-bytes.test.ts",
          "test/hostile/web-page/requests.test.ts",
          "test/hostile/fuzz.test.ts",
          "test/real-definitions/**/*.test.ts",
          "packages/apiserver/test/check/hostile.test.ts",
          "packages/client/test/pods/files-fuzz.test.ts",
          "packages/core/test/codecs/json/json-shapes.test.ts",
          ...searches,
        ],
        env: {
          TYPEKUBE_FUZZ: process.env["TYPEKUBE_FUZZ"] ?? "20000",
          TYPEKUBE_EXPLORE_SEEDS: process.env["TYPEKUBE_EXPLORE_SEEDS"] ?? "200",
        },
      }),
      // The cases on a real kube-apiserver, where there is one, and the tests that compare two servers or need a real one.
      project("real", {
        include: [
          ...cases,
          "test/conformance/*/*.test.ts",
          "test/conformance/encodings.test.ts",
          "test/real-server/**/*.test.ts",
          ...withRealServer,
        ],
        env: { TYPEKUBE_EMBEDDED_SERVER: "off" },
      }),
      // Programs of others, against `typekube serve` and a real server: kubectl, client-go, client-node.
      project("black-box", { include: ["test/black-box/**/*.test.ts"], fileParallelism: false }),
      // Informers while faults strike; `pnpm storm` runs longer ones.
      project("storm", {
        include: ["test/storm/**/*.test.ts"],
        pool: "forks",
        execArgv: ["--expose-gc", "--disable-warning=TYPEKUBE_WATCH"],
      }),
      project("memory", {
        include: ["packages/*/test/**/*.memory.test.ts"],
        pool: "forks",
        execArgv: ["--expose-gc", "--disable-warning=TYPEKUBE_WATCH"],
      }),
    ],
  },
});
