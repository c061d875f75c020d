import type { ValidatingAdmissionPolicy } from "@typekube/api/admissionregistration/v1";
import type { SchemaTable } from "@typekube/api/schema";
import { formatApiVersion } from "@typekube/core";
import type { GroupVersionKind, KindTypes } from "@typekube/policy";
import type { ApiObject } from "../../objects/api-object.js";
import { stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import type { ResourceRegistry } from "../../resources/resource-registry.js";
import type { ServedResource } from "../../resources/served-resource.js";
import type { Controller } from "../runtime/controller.js";
import type { ControllerParts } from "../runtime/controller-parts.js";
import { createObjectWriter } from "../runtime/object-writer.js";
import { BuiltInTypes } from "./built-in-type.js";

/** Field manager of the status of policies. */
const manager = "validatingadmissionpolicy-status-controller";
const storage = "validatingadmissionpolicies.admissionregistration.k8s.io";

/** Checks the types of each ValidatingAdmissionPolicy once per generation, and reports them in its status. */
export function createPolicyStatus({ server }: ControllerParts): Controller {
  const writer = createObjectWriter(server, manager);
  const prepared = writer.prepare([storage]);
  return {
    name: "policy-status",
    follows: [storage],
    keysOf: ({ object }) => (object === undefined ? [] : [object.metadata.name ?? ""]),
    async reconcile(name) {
      await prepared;
      const policy = writer.get(storage, "", name);
      const generation = policy?.metadata.generation;
      if (policy === undefined || mapOf(policy["status"])["observedGeneration"] === generation) {
        return undefined;
      }
      const { typeCheckPolicy } = await import("@typekube/policy");
      const kinds = await kindTypes(policy, server.registry);
      // The server has validated the policy when it was written.
      const warnings = typeCheckPolicy(policy as ValidatingAdmissionPolicy, kinds);
      const status = {
        observedGeneration: generation,
        typeChecking: warnings.length === 0 ? {} : { expressionWarnings: [...warnings] },
      };
      writer.update(storage, { ...policy, status }, "status");
      return undefined;
    },
  };
}

/** Returns the types of the kinds that a policy names. */
async function kindTypes(policy: ApiObject, registry: ResourceRegistry): Promise<KindTypes> {
  const [{ loadSchema }, cel, { declaredType }] = await Promise.all([
    import("@typekube/api/schema"),
    import("@typekube/cel"),
    import("@typekube/schema/rules"),
  ]);
  const tables = new Map<string, SchemaTable | undefined>();
  for (const apiVersion of apiVersionsOf(policy)) {
    tables.set(apiVersion, await loadSchema(apiVersion));
  }
  const builtIn = new BuiltInTypes(cel);
  const kindOf = ({ group, version, kind }: ServedResource) => ({ group, version, kind });
  return {
    kindsOf({ group, version, resource }) {
      const found = registry.find(group, version, resource);
      return found === undefined ? [] : [kindOf(found)];
    },
    typeOf(kind: GroupVersionKind) {
      const { group, version } = kind;
      const served = registry.ofVersion(group, version).find((one) => one.kind === kind.kind);
      if (served?.defined !== undefined) {
        return declaredType(served.defined.schema, kind.kind, true)?.type;
      }
      const table = tables.get(formatApiVersion(kind));
      return table && builtIn.typeOf(table, kind.kind);
    },
  };
}

function apiVersionsOf(policy: ApiObject): ReadonlySet<string> {
  const { matchConstraints, paramKind } = specOf(policy);
  const named = objectsOf(mapOf(matchConstraints)["resourceRules"]).flatMap((rule) =>
    stringsOf(rule["apiGroups"]).flatMap((group) =>
      stringsOf(rule["apiVersions"]).map((version) => formatApiVersion({ group, version })),
    ),
  );
  const { apiVersion } = mapOf(paramKind);
  return new Set(typeof apiVersion === "string" ? [...named, apiVersion] : named);
}
