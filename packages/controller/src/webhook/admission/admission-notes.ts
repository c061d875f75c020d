import { KubeError } from "@typekube/core";

/** Keys of audit annotations: a name without a prefix, which the API server adds. (apiserver `audit` dispatcher) */
const auditKey = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Collects warnings and audit annotations of one review. */
export class AdmissionNotes {
  readonly warnings: string[] = [];
  readonly auditAnnotations: Record<string, string> = {};

  /** Adds a warning as one line, without the prefix that the client prints. */
  warn(message: string): void {
    const line = String(message)
      .replaceAll(/\s*[\r\n]+\s*/g, " ")
      .replace(/^\s*warning:\s*/i, "")
      .trim();
    if (line !== "") {
      this.warnings.push(line);
    }
  }

  audit(key: string, value: string): void {
    if (!auditKey.test(key)) {
      throw new KubeError("InvalidArgument", `the audit annotation's key "${key}" is not a name`, {
        hint: "at most 63 letters, digits, dashes, dots and underscores; the API server adds the webhook's name in front",
      });
    }
    if (typeof value !== "string") {
      throw new KubeError("InvalidArgument", `the audit annotation ${key} must be a string`);
    }
    this.auditAnnotations[key] = value;
  }
}
