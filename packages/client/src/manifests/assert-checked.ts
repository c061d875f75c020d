import { KubeError } from "@typekube/core";
import type { ApplyAllOptions, ManifestFinding } from "../options/manifest-options.js";
import type { Manifests } from "./manifest-set.js";

/**
 * Runs the check of an apply.
 *
 * @throws {KubeError} `InvalidArgument` with all errors; its cause is the report.
 */
export async function assertChecked(
  manifests: Manifests,
  { check }: Pick<ApplyAllOptions, "check">,
): Promise<void> {
  const report = await check?.(manifests);
  if (report === undefined || report.valid) {
    return;
  }
  const errors = report.findings.filter(({ severity }) => severity === "error");
  const count = errors.length === 1 ? "1 error" : `${errors.length} errors`;
  throw new KubeError(
    "InvalidArgument",
    `nothing was applied, because the manifests have ${count}: ${errors.map(textOf).join("; ")}`,
    { cause: report },
  );
}

function textOf({ rule, message, location }: ManifestFinding): string {
  const { line, column } = location ?? {};
  return `${line === undefined ? "" : `line ${line}, column ${column}: `}${rule}: ${message}`;
}
