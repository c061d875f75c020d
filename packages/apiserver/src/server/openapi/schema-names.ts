import { parseApiVersion } from "@typekube/core";
import type { JsonObject } from "../../objects/json-value.js";

/** Go packages of groups outside `k8s.io/api`. */
const packages: Readonly<Record<string, string>> = {
  apiextensions: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions",
  apiregistration: "io.k8s.kube-aggregator.pkg.apis.apiregistration",
  meta: "io.k8s.apimachinery.pkg.apis.meta",
};

/** Names of types that no schema table contains. */
export const otherNames = {
  Quantity: "io.k8s.apimachinery.pkg.api.resource.Quantity",
  IntOrString: "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
  RawExtension: "io.k8s.apimachinery.pkg.runtime.RawExtension",
} as const;

/**
 * Returns the OpenAPI name of a type, which derives from its Go package.
 *
 * @param table - name of the schema table, such as `apps/v1`.
 */
export function builtInName(table: string, type: string): string {
  const [group = "", version = ""] = table.split("/");
  return `${packages[group] ?? `io.k8s.api.${group}`}.${version}.${type}`;
}

/** Returns the OpenAPI name of a custom kind: `com.example.v1.Widget`. */
export function customName(apiVersion: string, kind: string): string {
  const { group, version } = parseApiVersion(apiVersion);
  return [...group.split(".").reverse(), version, kind].join(".");
}

/** Returns a reference to a schema of the same document. */
export function refTo(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the name of the schema that a reference points to. */
export function nameOfRef(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

/** Returns an entry of the extension `x-kubernetes-group-version-kind`. */
export function kindOf(apiVersion: string, kind: string): JsonObject {
  const { group, version } = parseApiVersion(apiVersion);
  return { group, kind, version };
}
