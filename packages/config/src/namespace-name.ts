/** The name of a namespace as people write it: `ns/shop`, `namespace/shop` and `namespaces/shop` are `shop`, in any case. */
export function namespaceName(text: string): string {
  return text.replace(/^(?:ns|namespaces?)\//i, "");
}
