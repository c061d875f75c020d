import { KubeError } from "@typekube/core";

/** Told apart by identity: the same code from a server means something else. */
const slowReaders = new WeakSet<KubeError>();

/** The error behind a `gap` that a reader caused by standing still while too many objects changed. */
export function slowReaderError(maxBufferedObjects: number): KubeError {
  const error = new KubeError(
    "TooLarge",
    `the reader did not keep up: changes of more than ${maxBufferedObjects} objects wait`,
    { hint: "read faster, or raise maxBufferedObjects" },
  );
  slowReaders.add(error);
  return error;
}

/** Whether continuity was lost because nobody read. */
export function isSlowReader(error: KubeError): boolean {
  return slowReaders.has(error);
}
