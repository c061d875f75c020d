/**
 * Removes the kind from a namespace argument: `ns/shop`, `namespace/shop` and `namespaces/shop` become `shop`, in any
 * case.
 */
export function namespaceName(text: string): string {
  return text.replace(/^(?:ns|namespaces?)\//i, "");
}
