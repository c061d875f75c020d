import type { ResourceDescriptor, Verb } from "@typekube/api";
import type { Right } from "@typekube/client";
import { KubeError } from "@typekube/core";
import { assertOptions, type OptionTable } from "@typekube/core/internal";

/** Options of `rights` of a custom resource. */
export interface RightsOptions<Subresource extends string = string> {
  /** The subresource that the verbs are for; `finalizers` for the right to block the deletion of owners. Default: none. */
  readonly subresource?: Subresource | "finalizers" | undefined;
  /** Name of the one object that they are for. Default: all objects. */
  readonly name?: string | undefined;
  /** Namespace that they are for. Default: all namespaces. */
  readonly namespace?: string | undefined;
}

const rightsOptions: OptionTable<RightsOptions> = {
  name: true,
  namespace: true,
  subresource: true,
};

/** Returns verbs on a resource: see `rights` of `CustomResource`. */
export function resourceRights(
  descriptor: ResourceDescriptor,
  verbs: readonly Verb[],
  options: RightsOptions = {},
): Right {
  assertOptions("rights()", options, rightsOptions);
  if (!Array.isArray(verbs)) {
    throw new KubeError("InvalidArgument", "rights() needs a list of verbs", {
      hint: 'such as ["get", "list"]',
    });
  }
  const { subresource, name, namespace } = options;
  const known = subresource === undefined ? descriptor.verbs : verbsOf(descriptor, subresource);
  const unknown = verbs.find((verb) => !known.includes(verb));
  if (verbs.length === 0 || unknown !== undefined) {
    throw new KubeError(
      "InvalidArgument",
      unknown === undefined ? "rights() needs verbs" : `rights(): unknown verb "${unknown}"`,
      { hint: `use ${known.join(", ")}` },
    );
  }
  if (namespace !== undefined && descriptor.scope === "Cluster") {
    throw new KubeError("InvalidArgument", `rights(): ${descriptor.kind} has no namespaces`, {
      hint: "leave namespace out",
    });
  }
  return {
    group: descriptor.group,
    resource: descriptor.plural + (subresource === undefined ? "" : `/${subresource}`),
    verbs: [...verbs],
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

function verbsOf(descriptor: ResourceDescriptor, subresource: string): readonly Verb[] {
  if (subresource === "finalizers") {
    return ["update"];
  }
  const { subresources } = descriptor;
  if (!Object.hasOwn(subresources, subresource)) {
    const known = [...Object.keys(subresources), "finalizers"].join(", ");
    throw new KubeError(
      "InvalidArgument",
      `rights(): ${descriptor.kind} has no subresource "${subresource}"`,
      { hint: `it has ${known}` },
    );
  }
  return subresources[subresource]?.verbs ?? [];
}
