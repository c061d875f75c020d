import { assertKnownOptions } from "../../assert-known-options.js";
import { writeYaml } from "./encode.js";

/** What people want to see of an object. */
export interface ToYamlOptions {
  /** Show `metadata.managedFields`. Default false, as kubectl: they are long and for servers. */
  readonly managedFields?: boolean | undefined;
}

/**
 * An object or a list as YAML for people to read, as `kubectl get -o yaml` prints it. The object is not changed.
 *
 * @throws {KubeError} `InvalidArgument` for what YAML cannot hold, as numbers without an end.
 */
export function toYaml(object: unknown, options: ToYamlOptions = {}): string {
  assertKnownOptions("toYaml()", options, { managedFields: true });
  const { managedFields = false } = options;
  return writeYaml(managedFields ? object : withoutManagedFields(object));
}

function withoutManagedFields(object: unknown): unknown {
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    return object;
  }
  const { metadata, items } = object as {
    readonly metadata?: { readonly managedFields?: unknown };
    readonly items?: unknown;
  };
  const { managedFields: _, ...shown } = metadata ?? {};
  return {
    ...object,
    ...(metadata ? { metadata: shown } : {}),
    ...(Array.isArray(items) ? { items: items.map(withoutManagedFields) } : {}),
  };
}
