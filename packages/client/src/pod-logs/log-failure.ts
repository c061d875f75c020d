import { isNetworkError, KubeError } from "@typekube/core";

/** Returns true for a failure of the connection or of a server, after which a log is opened again. */
export function isCutOff(error: unknown): error is KubeError {
  return (
    isNetworkError(error) ||
    (error instanceof KubeError &&
      (["DeadlineExceeded", "TooManyRequests"].includes(error.code) ||
        (error.httpStatus ?? 0) >= 500))
  );
}

/** Returns true for a refusal that the state of the pod explains: it is gone, or its container is waiting. */
export function isOfPodState(error: unknown): error is KubeError {
  return error instanceof KubeError && ["BadRequest", "NotFound"].includes(error.code);
}
