import type {
  KubeObject,
  ResourceDescriptor,
  Scope,
  SubresourceDescriptors,
  Verb,
} from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { DescriptorSource } from "../discovery/with-descriptor.js";
import { assertCallOptionNames } from "../options/any-call-options.js";
import { assertIsOptions } from "../options/call-options.js";
import { namedPod } from "../pods/named-pod.js";
import type { KindReference } from "../types/kind-reference.js";
import type { ClientContext } from "./client-context.js";
import type { ResourceMethods, StreamingSubresource } from "./resource-methods.js";
import { ResourceOperations } from "./resource-operations.js";

const streams: ReadonlySet<string> = new Set<StreamingSubresource>([
  "attach",
  "exec",
  "log",
  "portforward",
  "proxy",
]);

/** Returns all operations on a resource, and its subresources by name. The types restrict callers to those that exist. */
export function operationsOf(
  context: ClientContext,
  type: KindReference | ResourceDescriptor,
  namespace: string | undefined,
): ResourceOperations {
  const source = descriptorSource(context, type);
  const subresources = "plural" in type ? Object.keys(type.subresources) : ["status", "scale"];
  const Operations = withSubresources(subresources.filter((name) => !streams.has(name)));
  const operations = new Operations(context, source, namespace);
  if ("plural" in type && Object.hasOwn(type.subresources, "exec")) {
    Object.defineProperty(operations, "named", {
      configurable: true,
      value: (name: string) => namedPod(context, { descriptor: type, operations, namespace }, name),
    });
  }
  return operations;
}

/**
 * Classes by the names of their subresources. A getter of each object instead would cost more than all else here, and
 * V8 keeps such objects, and what they hold, until the next full garbage collection.
 */
const classes = new Map<string, typeof ResourceOperations>();

/** Returns the class whose objects have these subresources as properties. */
function withSubresources(names: readonly string[]): typeof ResourceOperations {
  const key = JSON.stringify(names);
  let made = classes.get(key);
  if (made === undefined) {
    made = class ResourceClient extends ResourceOperations {};
    for (const name of names) {
      Object.defineProperty(made.prototype, name, {
        configurable: true,
        get(this: ResourceOperations) {
          return this.subresource(name);
        },
      });
    }
    classes.set(key, made);
  }
  return made;
}

/** Returns the client of a resource whose descriptor is known. */
export function resourceOf<
  T extends KubeObject,
  S extends Scope,
  V extends Verb,
  Sub extends SubresourceDescriptors,
>(
  context: ClientContext,
  descriptor: ResourceDescriptor<T, S, V, Sub>,
  namespace?: string,
): ResourceMethods<T, V, Sub> {
  return operationsOf(context, descriptor, namespace) as unknown as ResourceMethods<T, V, Sub>;
}

/**
 * Returns a function that supplies the descriptor of a resource: the given one, or the one that discovery finds on
 * first use.
 *
 * @throws {KubeError} `InvalidArgument` for a value that is neither a descriptor nor has apiVersion and kind.
 */
export function descriptorSource(
  { discovery }: ClientContext,
  type: KindReference | ResourceDescriptor,
): DescriptorSource {
  assertResource(type);
  if ("plural" in type) {
    const found = Promise.resolve(type);
    return (options = {}) => {
      assertIsOptions(options);
      return found;
    };
  }
  return (options = {}) => {
    assertIsOptions(options);
    assertCallOptionNames(options);
    return discovery.find(type, options);
  };
}

/** @throws {KubeError} `InvalidArgument` for a value that is neither a descriptor nor has apiVersion and kind. */
export function assertResource(type: KindReference | ResourceDescriptor): void {
  const { apiVersion, kind }: Partial<KindReference> = type ?? {};
  if (typeof apiVersion !== "string" || typeof kind !== "string") {
    throw new KubeError("InvalidArgument", "a resource needs apiVersion and kind, or a descriptor");
  }
}
