import { posix } from "node:path";
import { KubeError } from "@typekube/core";

/** A path in a container, divided for tar: it changes to the directory and archives the name. */
export interface RemotePath {
  readonly directory: string;
  /** Last part of the path; empty for the contents of the directory. */
  readonly name: string;
}

/**
 * Validates a path in a container.
 *
 * @throws {KubeError} `InvalidArgument` for an empty path, or one with a NUL.
 */
export function assertPath(what: string, path: unknown): asserts path is string {
  if (typeof path !== "string" || path === "" || path.includes("\0")) {
    throw new KubeError("InvalidArgument", `${what}: must be a path without NUL characters`);
  }
}

/** Divides a path. `dir/.`, `dir/`, `.` and `..` are the contents of the directory, also where it is a link to one. */
export function divide(path: string): RemotePath {
  const name = posix.basename(path);
  return name === "." || name === ".." || name === "" || path.endsWith("/")
    ? { directory: path, name: "" }
    : { directory: posix.dirname(path), name };
}
