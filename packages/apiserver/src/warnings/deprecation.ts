import type { ServedResource } from "../resources/served-resource.js";

/** Built-in types that are served, but that nobody should use any more. */
const deprecated: ReadonlyMap<string, string> = new Map([
  ["endpoints", "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"],
]);

/** What everybody is told who asks for a type that is deprecated; `undefined` for all others. */
export function deprecationOf({ defined, groupResource }: ServedResource): string | undefined {
  return defined === undefined ? deprecated.get(groupResource) : defined.deprecation;
}
