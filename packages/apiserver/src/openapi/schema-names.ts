import { parseApiVersion } from "@typekube/core";
import type { JsonObject } from "../store/json-value.js";

/** Where the Go packages of some groups are; the others are in `k8s.io/api`. */
const packages: Readonly<Record<string, string>> = {
  apiextensions: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions",
  apiregistration: "io.k8s.kube-aggregator.pkg.apis.apiregistration",
  meta: "io.k8s.apimachinery.pkg.apis.meta",
};

/** Types that stand in no table of a group. */
export const otherNames = {
  Quantity: "io.k8s.apimachinery.pkg.api.resource.Quantity",
  IntOrString: "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
  RawExtension: "io.k8s.apimachinery.pkg.runtime.RawExtension",
} as const;

/**
 * What a type is called in OpenAPI documents, by its Go package.
 *
 * @param table - `apps/v1`, as schema tables are called.
 */
export function builtInName(table: string, type: string): string {
  const [group = "", version = ""] = table.split("/");
  return `${packages[group] ?? `io.k8s.api.${group}`}.${version}.${type}`;
}

/** What a custom kind is called: `com.example.v1.Widget`. */
export function customName(apiVersion: string, kind: string): string {
  const { group, version } = parseApiVersion(apiVersion);
  return [...group.split(".").reverse(), version, kind].join(".");
}

/** A reference to a schema of the same document. */
export function refTo(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The name of the schema that a reference leads to. */
export function nameOfRef(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

/** What the kinds of a schema are, as the extension `x-kubernetes-group-version-kind` tells them. */
export function kindOf(apiVersion: string, kind: string): JsonObject {
  const { group, version } = parseApiVersion(apiVersion);
  return { group, kind, version };
}
