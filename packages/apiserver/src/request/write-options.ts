import type { StatusCause } from "@typekube/core";
import { cause } from "../errors/field-errors.js";
import { invalidOptions } from "../errors/status-errors.js";

/** Parsed and validated parameters of a write. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** Field manager: the parameter, or the user agent up to its first `/`. */
  readonly manager: string;
  readonly fieldValidation: "Ignore" | "Strict" | "Warn";
  /** Used by apply only. */
  readonly force: boolean;
}

const validations = ["", "Ignore", "Strict", "Warn"];
const maxManagerBytes = 128;

/** Reads the parameters of a create, update or patch. */
export function readWriteOptions(
  query: URLSearchParams,
  headers: Readonly<Record<string, string>>,
  kind: "CreateOptions" | "PatchOptions" | "UpdateOptions",
  apply = false,
): WriteOptions {
  const causes: StatusCause[] = [];
  const manager = query.get("fieldManager") ?? "";
  const force = query.get("force");
  if (kind === "PatchOptions" && !apply && force !== null) {
    causes.push(cause.forbidden("force", "may not be specified for non-apply patch"));
  }
  if (apply && manager === "") {
    causes.push(cause.required("fieldManager", "is required for apply patch"));
  }
  if (Buffer.byteLength(manager) > maxManagerBytes) {
    causes.push(cause.tooLong("fieldManager", maxManagerBytes));
  }
  const strange = [...manager].findIndex((one) => !/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(one));
  if (strange >= 0) {
    const code = manager.codePointAt(strange)?.toString(16).toUpperCase().padStart(4, "0");
    const why = `invalid character U+${code} (at position ${strange})`;
    causes.push(cause.invalid("fieldManager", manager, why));
  }
  const dryRun = query.getAll("dryRun");
  causes.push(...validateDryRun(dryRun));
  const fieldValidation = query.get("fieldValidation") ?? "";
  if (!validations.includes(fieldValidation)) {
    causes.push(cause.notSupported("fieldValidation", fieldValidation, validations));
  }
  if (causes.length > 0) {
    throw invalidOptions(kind, causes);
  }
  return {
    dryRun: dryRun.length > 0,
    manager: manager === "" ? managerOf(headers["user-agent"]) : manager,
    fieldValidation: (fieldValidation === ""
      ? "Warn"
      : fieldValidation) as WriteOptions["fieldValidation"],
    force: force === "true" || force === "1" || force === "",
  };
}

/** Returns the errors of `dryRun`: any value but `All`, including the empty string. */
export function validateDryRun(values: readonly string[]): StatusCause[] {
  return values.every((value) => value === "All")
    ? []
    : [cause.notSupported("dryRun", values, ["All"])];
}

function managerOf(userAgent: string | undefined): string {
  const name = (userAgent ?? "").split("/")[0] ?? "";
  return name === "" ? "unknown" : name.slice(0, maxManagerBytes);
}
