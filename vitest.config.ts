import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Tests run on the sources: no build comes first.
const conditions = ["@typekube/source"];

/** Unit tests of what Windows does not have: programs that begin with `#!`, file modes, named pipes, signals, symbolic links. */
const posixOnly = [
  "packages/apiserver/test/{listen,recording,save-objects,serve}.test.ts",
  "packages/client/test/default-field-manager.test.ts",
  "packages/config/test/{auth-refresh,exec-*,hostile-files,modify-kubeconfig,mounted-kubeconfig}.test.ts",
  "packages/transport/test/tls-files.test.ts",
  "packages/typekube/test/{canary,connecting-page,embedded-server-page,no-sync-calls}.test.ts",
];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Informers of tests meet errors on purpose, most of them without an onError.
    execArgv: ["--disable-warning=TYPEKUBE_WATCH"],
    // Two at least: tests wait for sockets and other processes as often as they compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A machine that does other work at the same time must fail no test; a test that hangs fails all the same.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 200_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/*/test/**/*.test.ts"],
          exclude: ["**/*.memory.test.ts", ...(process.platform === "win32" ? posixOnly : [])],
        },
      },
      {
        extends: true,
        test: {
          name: "memory",
          include: ["packages/*/test/**/*.memory.test.ts"],
          pool: "forks",
          execArgv: ["--expose-gc", "--disable-warning=TYPEKUBE_WATCH"],
        },
      },
      {
        extends: true,
        test: {
          // The same cases on the embedded API server and, where there is one, on a real kube-apiserver.
          name: "conformance",
          include: ["test/conformance/**/*.test.ts", "test/real-server/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          // Programs of others, against `typekube serve` and a real server: kubectl, client-go, client-node.
          name: "black-box",
          include: ["test/black-box/**/*.test.ts"],
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          // Informers while faults strike; `pnpm storm` runs longer ones.
          name: "storm",
          include: ["test/storm/**/*.test.ts"],
          pool: "forks",
          execArgv: ["--expose-gc", "--disable-warning=TYPEKUBE_WATCH"],
        },
      },
      {
        extends: true,
        test: {
          name: "types",
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ["packages/*/test/**/*.test-d.ts"],
            tsconfig: "./tsconfig.test.json",
          },
        },
      },
    ],
  },
});
