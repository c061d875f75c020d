import type { ResourceDescriptor, Scope } from "@typekube/api";
import type { NamedRuleWithOperations, ParamRef } from "@typekube/api/admissionregistration/v1";
import type { LabelSelector } from "@typekube/api/meta/v1";
import type { Operation } from "../admission-request.js";

/** A subresource of a kind, see {@link subresourceOf}. */
export interface MatchedSubresource {
  readonly resource: ResourceDescriptor;
  readonly subresource: string;
}

/** A kind that a policy matches: its descriptor, or one of its subresources. */
export type MatchedResource = MatchedSubresource | ResourceDescriptor;

/**
 * Names a subresource for `resources` of a policy.
 *
 * @example
 * ```ts
 * subresourceOf(Deployment, "scale");
 * ```
 */
export function subresourceOf<D extends ResourceDescriptor>(
  resource: D,
  subresource: keyof D["subresources"] & string,
): MatchedSubresource {
  return { resource, subresource };
}

/** Returns one rule for each kind. */
export function rulesFor(
  resources: readonly MatchedResource[],
  operations: readonly Operation[],
): NamedRuleWithOperations[] {
  return resources.map((one) => {
    const { group, version, plural } = "resource" in one ? one.resource : one;
    return {
      apiGroups: [group],
      apiVersions: [version],
      operations: [...operations],
      resources: ["resource" in one ? `${plural}/${one.subresource}` : plural],
    };
  });
}

/** The objects with the parameters of a policy: one by its name, or all that a selector matches. */
export type ParamsOf<S extends Scope> = ParamsChoice & {
  /** "Deny" (default) refuses requests if there is no such object, "Allow" lets them pass. */
  readonly notFound?: "Allow" | "Deny";
} & (S extends "Cluster"
    ? { readonly namespace?: never }
    : {
        /** Default: the namespace of the request. */
        readonly namespace?: string;
      });

type ParamsChoice =
  | { readonly name: string; readonly selector?: never }
  | { readonly selector: LabelSelector; readonly name?: never };

/** Returns the reference of a binding to its parameters. */
export function paramRefOf(given: ParamsOf<Scope>): ParamRef {
  const { name, selector, namespace, notFound = "Deny" } = given;
  return {
    ...(name === undefined ? { selector } : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    parameterNotFoundAction: notFound,
  };
}
