import { KubeError } from "@typekube/core";

/** Recognized by identity: a Timeout from the server says nothing about its resourceVersions. */
const staleSnapshots = new WeakSet<KubeError>();

/** Returns the error of a snapshot that is older than the known resourceVersion. */
export function staleSnapshotError(version: string, known: string): KubeError {
  const error = new KubeError(
    "Timeout",
    `the server returned resourceVersion ${version}, which is older than ${known}`,
  );
  staleSnapshots.add(error);
  return error;
}

/**
 * Returns true for the error of a snapshot that is older than the known resourceVersion: the server lags, or was
 * restored from a backup and uses the same resourceVersions again.
 */
export function isStaleSnapshot(error: KubeError): boolean {
  return staleSnapshots.has(error);
}
