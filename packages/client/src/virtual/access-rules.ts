import { SelfSubjectRulesReview } from "@typekube/api/authorization/v1";
import type { CallOptions } from "../options/call-options.js";
import type { ClientContext } from "../resource/client-context.js";
import { resourceOf } from "../resource/resource-of.js";

/** The resources and paths that a user may access. */
export interface AccessRules {
  /**
   * Allowed actions on resources. Each rule allows every combination of its verbs, groups and resources; an empty
   * `resourceNames` means all objects.
   */
  readonly resourceRules: readonly {
    readonly verbs: readonly string[];
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly resourceNames: readonly string[];
  }[];
  /** Allowed actions on paths that are not resources, such as `/metrics`. */
  readonly nonResourceRules: readonly {
    readonly verbs: readonly string[];
    readonly nonResourceURLs: readonly string[];
  }[];
  /** `true` when more may be allowed than is listed, because an authorizer cannot list its rules. Use `can` to be sure. */
  readonly incomplete: boolean;
  /** An error while the server collected the rules, which may then be incomplete. */
  readonly evaluationError: string | undefined;
}

/**
 * Returns everything that this client's user may do in a namespace (a SelfSubjectRulesReview). Meant for people;
 * programs use `can`.
 */
export async function rulesIn(
  context: ClientContext,
  namespace: string,
  options: CallOptions = {},
): Promise<AccessRules> {
  const reviews = resourceOf(context, SelfSubjectRulesReview);
  const { status } = await reviews.create({ spec: { namespace } }, options);
  return {
    resourceRules: (status?.resourceRules ?? []).map(
      ({ verbs, apiGroups = [], resources = [], resourceNames = [] }) => ({
        verbs,
        apiGroups,
        resources,
        resourceNames,
      }),
    ),
    nonResourceRules: (status?.nonResourceRules ?? []).map(({ verbs, nonResourceURLs = [] }) => ({
      verbs,
      nonResourceURLs,
    })),
    incomplete: status?.incomplete === true,
    evaluationError: status?.evaluationError || undefined,
  };
}
