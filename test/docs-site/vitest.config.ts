import { defineConfig } from "vitest/config";

// Tests of the built documentation site. `pnpm test` leaves them out because they need the site and Chromium.
const conditions = ["@typekube/source"];

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
