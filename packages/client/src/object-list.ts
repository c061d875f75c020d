import type { KubeList, KubeObject } from "@typekube/api";

/** Whether a decoded answer is a list. */
export function isList(value: unknown): value is KubeList<KubeObject> {
  return Array.isArray((value as { items?: unknown } | null)?.items);
}

/** A list that was decoded whole, its items with the kind and apiVersion that a single object has and they lack on the wire. */
export function withItemKinds(list: KubeList<KubeObject>): KubeList<KubeObject> {
  const { apiVersion, kind } = list;
  const type = { kind: kind.slice(0, -"List".length), apiVersion };
  return kind.endsWith("List") && kind !== "List"
    ? { ...list, items: list.items.map((item) => ({ ...type, ...item })) }
    : list;
}
