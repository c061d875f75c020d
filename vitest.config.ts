import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Tests run on the sources: no build comes first.
const conditions = ["@typekube/source"];

/** Unit tests that Windows cannot run, with the reason that is printed there. */
const posixOnly: Readonly<Record<string, string>> = {
  "packages/apiserver/test/{listen,recording,save-objects,serve}.test.ts": "file modes, signals",
  "packages/bench/test/*.test.ts": "signals; benchmarks are for Linux and macOS",
  "packages/client/test/default-field-manager.test.ts": "symbolic links",
  "packages/config/test/{auth-refresh,exec-*}.test.ts": "programs that begin with #!",
  "packages/config/test/{modify-kubeconfig,mounted-kubeconfig}.test.ts":
    "file modes, symbolic links",
  "test/hostile/kubeconfig/files.test.ts": "named pipes, devices, symbolic links",
  "packages/transport/test/tls-files.test.ts": "symbolic links",
  "packages/typekube/test/{canary,connecting-page,no-sync-calls}.test.ts":
    "programs that begin with #!",
  "packages/typekube/test/embedded-server-page.test.ts": "file modes",
};
const skipped = process.platform === "win32" ? Object.entries(posixOnly) : [];
for (const [files, reason] of skipped) {
  console.warn(`SKIPPED on Windows: ${files} (${reason})`);
}

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
          include: ["packages/*/test/**/*.test.ts", "test/hostile/**/*.test.ts"],
          exclude: ["**/*.memory.test.ts", ...skipped.map(([files]) => files)],
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
