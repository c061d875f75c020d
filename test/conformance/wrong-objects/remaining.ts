const unseen = "the embedded server drops empty lists and maps before it validates";
const labelled =
  "a Job without labels has those of its template; the embedded server gives it these before it looks for faults";
const account =
  "in clusters each pod gets a service account by admission, so that such a pod is right there; the embedded server asks for none";
const long = "a".repeat(70);

/** Wrong objects whose responses still differ from a real server's, each with the reason. */
export const remaining: Readonly<Record<string, string>> = {
  'PersistentVolume {"spec.capacity":{}}': unseen,
  'Ingress {"spec.rules":[]}': unseen,
  [`Job {"metadata.name":"${long}"}`]: labelled,
  'Pod {"spec.volumes":[{"name":"v","projected":{"sources":[{"serviceAccountToken":{"path":"t"}}]}}]}':
    account,
};
