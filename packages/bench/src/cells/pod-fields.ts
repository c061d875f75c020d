/** The fields of a pod that a scheduler's cache or a garbage collector needs, besides those that always come. */
export const podFields = [
  "metadata.labels",
  "metadata.ownerReferences",
  "spec.nodeName",
  "status.phase",
] as const;
