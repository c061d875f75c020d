import type { ServedResource } from "../resources/served-resource.js";

/** Warnings for deprecated built-in types. */
const deprecated: ReadonlyMap<string, string> = new Map([
  ["endpoints", "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"],
]);

/** Returns the warning for requests to a deprecated type; `undefined` for others. */
export function deprecationOf({ defined, groupResource }: ServedResource): string | undefined {
  return defined === undefined ? deprecated.get(groupResource) : defined.deprecation;
}
