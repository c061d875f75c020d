import { defineConfig } from "vitest/config";

// Tests of the packed packages. `pnpm test` leaves them out because they need a build and the npm registry.
const conditions = ["@typekube/source"];

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["*.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
