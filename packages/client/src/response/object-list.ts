import type { KubeList, KubeObject } from "@typekube/api";

/** Returns true when a decoded response is a list. */
export function isList(value: unknown): value is KubeList<KubeObject> {
  return Array.isArray((value as { items?: unknown } | null)?.items);
}

/** Fills in kind and apiVersion of the items of a decoded list, which have neither on the wire. */
export function withItemKinds(list: KubeList<KubeObject>): KubeList<KubeObject> {
  const { apiVersion, kind } = list;
  const type = { kind: kind.slice(0, -"List".length), apiVersion };
  return kind.endsWith("List") && kind !== "List"
    ? { ...list, items: list.items.map((item) => ({ ...type, ...item })) }
    : list;
}
