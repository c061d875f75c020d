/** Versions of reviews that the server knows. */
const knownVersions: readonly string[] = ["v1", "v1beta1"];

/** Returns the apiVersion of the reviews for a webhook: the first known one of its list; `undefined` if it has none. */
export function reviewVersion(accepted: readonly string[]): string | undefined {
  const version = accepted.find((one) => knownVersions.includes(one));
  return version === undefined ? undefined : `admission.k8s.io/${version}`;
}
