import { cause } from "../response/status-errors.js";
import type { FieldErrors } from "./checks.js";

/** A path that leads nowhere above where it begins. */
export function inwardPath(field: string, path: unknown): FieldErrors {
  return String(path ?? "")
    .split("/")
    .includes("..")
    ? [cause.invalid(field, path, "must not contain '..'")]
    : [];
}

/** A path that stays where it begins. */
export function relativePath(field: string, path: string): FieldErrors {
  return [
    ...(path.startsWith("/") ? [cause.invalid(field, path, "must be a relative path")] : []),
    ...inwardPath(field, path),
  ];
}

/** The same of a file that others write, who keep names that begin with two dots to themselves. */
export function validateLocalPath(field: string, path: string): FieldErrors {
  return [
    ...relativePath(field, path),
    ...(path.startsWith("..") && !path.startsWith("../")
      ? [cause.invalid(field, path, "must not start with '..'")]
      : []),
  ];
}

/** The rights of a file. */
export function validateFileMode(field: string, mode: unknown): FieldErrors {
  return typeof mode === "number" && (mode < 0 || mode > 0o777)
    ? [cause.invalid(field, mode, "must be a number between 0 and 0777 (octal), both inclusive")]
    : [];
}
