import { KubeError } from "@typekube/core";

/** Told apart by identity: a server's own timeout says nothing of its versions. */
const staleSnapshots = new WeakSet<KubeError>();

/** The error of a picture from before what was seen already. */
export function staleSnapshotError(version: string, known: string): KubeError {
  const error = new KubeError(
    "Timeout",
    `the server returned resourceVersion ${version}, which is older than ${known}`,
  );
  staleSnapshots.add(error);
  return error;
}

/** Whether a picture was from before what was seen already: the server lags, or was set back and gives the same versions once more. */
export function isStaleSnapshot(error: KubeError): boolean {
  return staleSnapshots.has(error);
}
