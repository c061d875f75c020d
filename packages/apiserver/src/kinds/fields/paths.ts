import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";

/** Checks that a path does not contain `..`. */
export function inwardPath(field: string, path: unknown): FieldErrors {
  return String(path ?? "")
    .split("/")
    .includes("..")
    ? [cause.invalid(field, path, "must not contain '..'")]
    : [];
}

/** Checks that a path is relative and does not contain `..`. */
export function relativePath(field: string, path: string): FieldErrors {
  return [
    ...(path.startsWith("/") ? [cause.invalid(field, path, "must be a relative path")] : []),
    ...inwardPath(field, path),
  ];
}

/** Checks the relative path of a file in a volume. Its name must not start with two dots, which the kubelet uses itself. */
export function validateLocalPath(field: string, path: string): FieldErrors {
  return [
    ...relativePath(field, path),
    ...(path.startsWith("..") && !path.startsWith("../")
      ? [cause.invalid(field, path, "must not start with '..'")]
      : []),
  ];
}

/** Checks the mode of a file. */
export function validateFileMode(field: string, mode: unknown): FieldErrors {
  return typeof mode === "number" && (mode < 0 || mode > 0o777)
    ? [cause.invalid(field, mode, "must be a number between 0 and 0777 (octal), both inclusive")]
    : [];
}
