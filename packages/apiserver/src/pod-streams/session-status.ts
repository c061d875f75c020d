import type { Status } from "@typekube/core";

/** Returns the status for a process's exit code, as sent on the error channel. */
export function exitStatus(code: number): Status {
  if (code === 0) {
    return { metadata: {}, status: "Success" } as Status;
  }
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(code) }] },
  } as Status;
}

/** Returns the status for a process that failed to run or was interrupted. */
export function failedStatus(error: unknown): Status {
  const why = error instanceof Error ? error.message : String(error);
  return {
    metadata: {},
    status: "Failure",
    message: `Internal error occurred: error executing command in container: ${why}`,
    reason: "InternalError",
    details: { causes: [{ message: `error executing command in container: ${why}` }] },
    code: 500,
  } as Status;
}
