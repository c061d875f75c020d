import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { KindOf, KindReference } from "@typekube/client";

/** A kind: a descriptor such as `Pod`, or the apiVersion and kind of one that discovery finds. */
export type AnyKind = KindReference | ResourceDescriptor;

/** Object type of a kind. */
export type PlainObject<K> =
  K extends ResourceDescriptor<infer T> ? T : K extends KindReference ? KindOf<K> : never;

/** Returns whether a value is a descriptor, or the apiVersion and kind of one. */
export function isPlainKind(value: unknown): value is AnyKind {
  const { apiVersion, kind } = (value ?? {}) as { apiVersion?: unknown; kind?: unknown };
  return typeof apiVersion === "string" && typeof kind === "string";
}

/** Returns what identifies a kind: `apps/v1/Deployment`. */
export function kindId({ apiVersion, kind }: KindReference): string {
  return `${apiVersion}/${kind}`;
}

/** Returns the API group of a kind; empty for the core group. */
export function groupOf(kind: AnyKind | KubeObject): string {
  const apiVersion = kind.apiVersion ?? "";
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
