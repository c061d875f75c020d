import type { ResourceDescriptor } from "@typekube/api";

const defined = new WeakSet<ResourceDescriptor>();

/**
 * Notes that a program defined a resource itself. When a server has no path for it, the error says what the server has
 * instead; descriptors that were generated or discovered are right.
 */
export function markDefined<D extends ResourceDescriptor>(descriptor: D): D {
  defined.add(descriptor);
  return descriptor;
}

/** Returns whether a program defined a resource itself. */
export function isDefined(descriptor: ResourceDescriptor): boolean {
  return defined.has(descriptor);
}
