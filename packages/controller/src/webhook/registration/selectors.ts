import type { LabelSelector } from "@typekube/api/meta/v1";
import {
  formatLabelSelector,
  KubeError,
  type LabelRequirement,
  type LabelSelectorInput,
  matchesLabels,
  parseLabelSelector,
} from "@typekube/core";
import type { AdmissionSettings } from "../admission/admission.js";

/** Label with the name of each namespace, set by the API server. */
const namespaceNameLabel = "kubernetes.io/metadata.name";

/**
 * Returns a selector in the form of the API.
 *
 * @throws {KubeError} `InvalidArgument` for `>` and `<`, which webhooks do not have.
 */
export function selectorObject(input: LabelSelectorInput | undefined): LabelSelector | undefined {
  return input === undefined ? undefined : selectorOf(requirementsOf(input));
}

/** Returns the requirements on namespaces that an admission handler states. */
export function namespaceRequirements({
  namespaceSelector,
  namespaces,
  excludeNamespaces,
}: AdmissionSettings): LabelRequirement[] {
  const named = (operator: "In" | "NotIn", values: readonly string[] | undefined) =>
    values === undefined || (operator === "NotIn" && values.length === 0)
      ? []
      : [{ key: namespaceNameLabel, operator, values }];
  return [
    ...(namespaceSelector === undefined ? [] : requirementsOf(namespaceSelector)),
    ...named("In", namespaces),
    ...named("NotIn", excludeNamespaces),
  ];
}

/** Returns the selector of the namespaces of an admission handler; `undefined` for all. */
export function namespaceSelectorOf(settings: AdmissionSettings): LabelSelector | undefined {
  const requirements = namespaceRequirements(settings);
  return requirements.length === 0 ? undefined : selectorOf(requirements);
}

/** Returns `true` when an admission handler reviews objects in a namespace that has no labels of its own. */
export function selectsNamespace(settings: AdmissionSettings, namespace: string): boolean {
  return matchesLabels(namespaceRequirements(settings), { [namespaceNameLabel]: namespace });
}

function requirementsOf(input: LabelSelectorInput): LabelRequirement[] {
  return parseLabelSelector(formatLabelSelector(input));
}

function selectorOf(requirements: readonly LabelRequirement[]): LabelSelector {
  const matchExpressions = requirements.map(({ key, operator, values }) => {
    if (operator === "Gt" || operator === "Lt") {
      throw new KubeError("InvalidArgument", `a webhook's selector cannot compare ${key}`, {
        hint: "use In, NotIn, Exists or DoesNotExist",
      });
    }
    return { key, operator, ...(values.length === 0 ? {} : { values: [...values] }) };
  });
  return { matchExpressions };
}
