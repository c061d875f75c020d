import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { getPath } from "../objects/json-value.js";

/** A custom resource that is defined in a program, such as the value of `defineResource` of `typekube/crd`. */
export interface DefinitionSource {
  /** Returns the CustomResourceDefinition. */
  crd(): KubeObject;
}

/**
 * Returns the definitions of custom resources.
 *
 * @throws {KubeError} `InvalidArgument` for a value without a definition, and for two definitions of one kind.
 */
export function definitionsOf(sources: readonly DefinitionSource[]): readonly KubeObject[] {
  const known = new Map<string, string>();
  return sources.map((source) => {
    if (typeof (source as Partial<DefinitionSource> | undefined)?.crd !== "function") {
      throw new KubeError("InvalidArgument", "crds: must be values of defineResource()", {
        hint: "load manifests of definitions with the option load",
      });
    }
    const definition = source.crd();
    const { name = "" } = definition.metadata ?? {};
    const kind = `${String(getPath(definition, "spec", "names", "kind"))} of ${String(getPath(definition, "spec", "group"))}`;
    const other = known.get(kind) ?? known.get(name);
    if (other !== undefined) {
      throw new KubeError("InvalidArgument", `crds: ${other} and ${name} both define ${kind}`, {
        hint: "define several versions of a kind in one definition, with the option versions",
      });
    }
    known.set(kind, name).set(name, name);
    return definition;
  });
}
