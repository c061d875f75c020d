import { expect } from "vitest";
import { check } from "../check/check.js";
import type { CheckInput } from "../check/options/check-input.js";
import type { CheckOptions } from "../check/options/check-options.js";
import { formatReport } from "../check/report/create-report.js";

/** Matchers of `expect(manifests)` for objects and texts. */
export interface ManifestMatchers<R = unknown> {
  /** Expects a server to accept the manifests; warnings are allowed. Must be awaited. */
  toBeValidManifest(options?: CheckOptions): Promise<R>;
}

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: must match vitest's own declaration.
  interface Matchers<T = any> extends ManifestMatchers<T> {}
}

/** Adds the matcher to vitest's `expect`. Can be called repeatedly. */
export function addManifestMatcher(): void {
  expect.extend({
    async toBeValidManifest(manifests: CheckInput, options: CheckOptions = {}) {
      const report = await check(manifests, options);
      return {
        pass: report.valid,
        message: () =>
          report.valid
            ? "expected a server to reject the manifests"
            : `expected a server to accept the manifests:\n${formatReport(report)}`,
      };
    },
  });
}
