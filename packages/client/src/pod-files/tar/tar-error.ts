import { KubeError } from "@typekube/core";

/** Returns the error for an archive that breaks the format. */
export function badArchive(problem: string): KubeError {
  return new KubeError("Decode", `the tar archive is invalid: ${problem}`);
}

/** Returns the error for an archive that ends too early. */
export function cutArchive(where: string): KubeError {
  return new KubeError("Decode", `the tar archive is cut off: it ends ${where}`);
}
