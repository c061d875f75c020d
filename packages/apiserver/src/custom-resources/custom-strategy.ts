import type { ResourceDescriptor } from "@typekube/api";
import { fillDefaults, validateCustomObject } from "@typekube/schema";
import { forbidden } from "../errors/status-errors.js";
import type { DefinedVersion } from "../resources/definition.js";
import type { KindStrategy } from "../resources/kind-strategy.js";
import type { TableColumn } from "../resources/table-column.js";
import { admitCustom, assertOfVersion } from "./admit-custom.js";
import { customChecks, validateCustomRules } from "./custom-checks.js";

/** Returns the strategy of custom resources of one version. */
export function customStrategy(
  version: DefinedVersion,
  descriptor: ResourceDescriptor,
  columns: readonly TableColumn[] | undefined,
): KindStrategy {
  const { definition, schema } = version;
  return {
    ...(columns === undefined ? {} : { columns }),
    decoder: {
      assertKind: (body, isPatch, json) => assertOfVersion(body, descriptor, isPatch, json),
      readFields: (body, node, refuse) => admitCustom(body, version, node, refuse),
    },
    schemaDefaults: (object) => fillDefaults(object, schema),
    assertCreatable(name) {
      if (definition.terminating) {
        const why = "create not allowed while custom resource definition is terminating";
        throw forbidden(descriptor, name, why);
      }
    },
    validateWrite(object, old, errors, { server, subresource, warn }) {
      validateCustomObject(version, { object, old, subresource }, errors, customChecks);
      validateCustomRules(schema, { object, old, warn }, errors, server.version);
    },
    writeWarnings: (object, old) =>
      finalizerWarnings(object.metadata.finalizers ?? [], old?.metadata.finalizers ?? []),
  };
}

const standardFinalizers: ReadonlySet<string> = new Set([
  "foregroundDeletion",
  "kubernetes",
  "orphan",
]);

function finalizerWarnings(now: readonly string[], before: readonly string[]): string[] {
  return [...now]
    .filter(
      (name) => !before.includes(name) && !name.includes("/") && !standardFinalizers.has(name),
    )
    .sort()
    .map((name) => {
      const path = name.includes(".") ? " including a path (/)" : "";
      return `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
    });
}
