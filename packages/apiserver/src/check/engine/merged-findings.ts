import type { VersionedFinding } from "../items/raw-finding.js";

/** Collects findings; equal findings of several releases become one. */
export class MergedFindings {
  readonly #byKey = new Map<
    string,
    VersionedFinding & { versions?: readonly string[] | undefined }
  >();
  readonly #hasVersions: boolean;

  constructor(hasVersions: boolean) {
    this.#hasVersions = hasVersions;
  }

  get all(): readonly VersionedFinding[] {
    return [...this.#byKey.values()];
  }

  addAll(findings: readonly VersionedFinding[], versions: readonly string[]): void {
    for (const finding of findings) {
      this.add(finding, versions);
    }
  }

  add(finding: VersionedFinding, versions: readonly string[]): void {
    const key = [finding.rule, finding.field, finding.message, finding.offset].join("\n");
    const known = this.#byKey.get(key);
    if (known?.versions !== undefined) {
      known.versions = [...new Set([...known.versions, ...versions])];
    } else if (known === undefined) {
      this.#byKey.set(key, {
        ...finding,
        ...(this.#hasVersions ? { versions: [...versions] } : {}),
      });
    }
  }
}
