import { assertOptions, type OptionTable } from "../../options/option-table.js";
import { writeYaml } from "./encode.js";

/** Options of {@link toYaml}. */
export interface ToYamlOptions {
  /** Includes `metadata.managedFields`. Default false, as in kubectl: they are long and meant for servers. */
  readonly managedFields?: boolean | undefined;
}

const toYamlOptions: OptionTable<ToYamlOptions> = { managedFields: true };

/**
 * Formats an object or a list as YAML for people, as `kubectl get -o yaml` prints it. Does not change the object.
 *
 * @throws {KubeError} `InvalidArgument` for values that YAML cannot hold, such as infinite numbers.
 */
export function toYaml(object: unknown, options: ToYamlOptions = {}): string {
  assertOptions("toYaml()", options, toYamlOptions);
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
