import { KubeError } from "@typekube/core";

/** Returns the error for a local file that cannot be read or written. An error of another origin stays as it is. */
export function localError(error: unknown, action: string): unknown {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (error instanceof KubeError || code === undefined || syscall === undefined) {
    return error;
  }
  return new KubeError("InvalidState", `cannot ${action}: ${(error as Error).message}`, {
    cause: error,
  });
}

/** Returns `true` for an error of the file system with this code, such as ENOENT. */
export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? "");
}
