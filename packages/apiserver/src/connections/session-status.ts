import type { Status } from "@typekube/core";

/** How a program in a container ended, as the error channel tells it. */
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

/** That it could not run, or broke off. */
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
