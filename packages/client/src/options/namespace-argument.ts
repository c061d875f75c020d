import { KubeError } from "@typekube/core";

/**
 * Returns the namespace of a call that takes an optional namespace. Omitting the argument means all namespaces. An
 * explicit `undefined` is usually an unset variable (`process.env.NS`), and would read the whole cluster.
 *
 * @throws {KubeError} `InvalidArgument` for an explicit `undefined`.
 */
export function namespaceArgument(given: readonly unknown[]): string | undefined {
  if (given.length > 0 && given[0] === undefined) {
    throw undefinedNamespace("resource(kind, namespace)");
  }
  return given[0] as string | undefined;
}

/**
 * Rejects options with an explicit `namespace: undefined`: it is usually an unset variable, and would select all
 * namespaces.
 *
 * @param call - name of the call, for the message.
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertNamespaceOption(call: string, options: object): void {
  if (
    "namespace" in options &&
    Object.hasOwn(options, "namespace") &&
    options.namespace === undefined
  ) {
    throw undefinedNamespace(call);
  }
}

function undefinedNamespace(call: string): KubeError {
  return new KubeError("InvalidArgument", `${call}: the namespace is undefined`, {
    hint: "check that the variable is set; omit the argument to use all namespaces",
  });
}
