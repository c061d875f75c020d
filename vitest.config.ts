import { defineConfig } from "vitest/config";

const conditions = ["@typekube/source"];
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/*/test/**/*.test.ts"],
          exclude: ["**/*.memory.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "memory",
          include: ["packages/*/test/**/*.memory.test.ts"],
          pool: "forks",
          execArgv: ["--expose-gc"],
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
