/** The pod of calls into pods. */
export const benchPod = { namespace: "team-00", name: "pod", container: "c", port: 8080 } as const;

/** Files that the pod has, and that programs copy to it. */
export const copiedFiles = {
  count: 10_000,
  bytes: 1_000,
  /** Their folder, in the pod and below the folder of a run. */
  name: "files",
  /** The folder that contains theirs in the pod. */
  parent: "/data",
} as const;

/** Bytes of a line of the pod's log, without its end. */
export const lineBytes = 200;

/** Returns the name of a copied file. */
export function copiedFileName(index: number): string {
  return `file-${String(index).padStart(5, "0")}.txt`;
}

/** Returns the content of a copied file. */
export function copiedFileContent(index: number): Buffer {
  return Buffer.from(`${index} `.repeat(copiedFiles.bytes).slice(0, copiedFiles.bytes));
}
