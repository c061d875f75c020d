import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";

/** Checks that a path does not contain `..`. */
export function validateInwardPath(path: unknown, field: string, errors: FieldErrors): void {
  if (
    String(path ?? "")
      .split("/")
      .includes("..")
  ) {
    errors.push(cause.invalid(field, path, "must not contain '..'"));
  }
}

/** Checks that a path is relative and does not contain `..`. */
export function validateRelativePath(field: string, errors: FieldErrors, path: string): void {
  if (path.startsWith("/")) {
    errors.push(cause.invalid(field, path, "must be a relative path"));
  }
  validateInwardPath(path, field, errors);
}

/** Checks the relative path of a file in a volume. Its name must not start with two dots, which the kubelet uses itself. */
export function validateLocalPath(field: string, errors: FieldErrors, path: string): void {
  validateRelativePath(field, errors, path);
  if (path.startsWith("..") && !path.startsWith("../")) {
    errors.push(cause.invalid(field, path, "must not start with '..'"));
  }
}

/** Checks the mode of a file. */
export function validateFileMode(mode: unknown, path: string, errors: FieldErrors): void {
  if (typeof mode === "number" && (mode < 0 || mode > 0o777)) {
    errors.push(
      cause.invalid(path, mode, "must be a number between 0 and 0777 (octal), both inclusive"),
    );
  }
}
