import { KubeError } from "@typekube/core";

/** Recognized by identity: the same code from a server means something else. */
const slowReaders = new WeakSet<KubeError>();

/** Returns the error of a `gap` that a reader caused by standing still while too many objects changed. */
export function slowReaderError(maxBufferedObjects: number): KubeError {
  const error = new KubeError(
    "TooLarge",
    `the reader did not keep up: changes of more than ${maxBufferedObjects} objects are buffered`,
    { hint: "read faster, or raise maxBufferedObjects" },
  );
  slowReaders.add(error);
  return error;
}

/** Returns true when continuity was lost because of a slow reader. */
export function isSlowReader(error: KubeError): boolean {
  return slowReaders.has(error);
}
