import { cause, type FieldErrors } from "../../errors/field-errors.js";

/** Appends an error if a path contains `..`. */
export function validateInwardPath(value: unknown, path: string, errors: FieldErrors): void {
  if (hasBackstep(value)) {
    errors.push(cause.invalid(path, value, "must not contain '..'"));
  }
}

/** Returns whether a path contains `..`. */
export function hasBackstep(value: unknown): boolean {
  return String(value ?? "")
    .split("/")
    .includes("..");
}

/** Appends an error if a path is not absolute. */
export function validateAbsolutePath(value: unknown, path: string, errors: FieldErrors): void {
  if (!String(value ?? "").startsWith("/")) {
    errors.push(cause.invalid(path, value ?? "", "must be an absolute path"));
  }
}

/** Appends errors if a path is not relative or contains `..`. */
export function validateRelativePath(value: unknown, path: string, errors: FieldErrors): void {
  if (String(value ?? "").startsWith("/")) {
    errors.push(cause.invalid(path, value, "must be a relative path"));
  }
  validateInwardPath(value, path, errors);
}

/**
 * Appends errors for the relative path of a file in a volume. Its name must not start with two dots, which the kubelet
 * uses itself.
 */
export function validateLocalPath(value: unknown, path: string, errors: FieldErrors): void {
  validateRelativePath(value, path, errors);
  if (/^\.\.(?!\/)/.test(String(value ?? ""))) {
    errors.push(cause.invalid(path, value, "must not start with '..'"));
  }
}

/** Appends an error for an invalid mode of a file. */
export function validateFileMode(mode: unknown, path: string, errors: FieldErrors): void {
  if (typeof mode === "number" && (mode < 0 || mode > 0o777)) {
    errors.push(
      cause.invalid(path, mode, "must be a number between 0 and 0777 (octal), both inclusive"),
    );
  }
}
