import { KubeError } from "../errors/kube-error.js";

/** Returns the error for bytes that violate their encoding. */
export function decodeError(message: string, cause?: unknown): KubeError {
  return new KubeError("Decode", message, cause === undefined ? {} : { cause });
}
