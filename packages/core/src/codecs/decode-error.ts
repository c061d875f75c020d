import { KubeError } from "../kube-error.js";

/** The error for bytes that are not what their encoding demands. */
export function decodeError(message: string, cause?: unknown): KubeError {
  return new KubeError("Decode", message, cause === undefined ? {} : { cause });
}
