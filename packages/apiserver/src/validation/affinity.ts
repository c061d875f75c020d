import { mapOf, objectsOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../store/json-value.js";
import { type Causes, dnsLabel, isUnset, qualifiedName } from "./checks.js";
import { nodeSelectorCauses, nodeTermCauses } from "./node-selectors.js";
import { labelKeyCauses } from "./scheduling.js";
import { selectorCauses } from "./selectors.js";

const must = "requiredDuringSchedulingIgnoredDuringExecution";
const should = "preferredDuringSchedulingIgnoredDuringExecution";

/** What is wrong with where a pod wants to be. */
export function affinityCauses(affinity: unknown, field: string): Causes {
  const { nodeAffinity, podAffinity, podAntiAffinity } = mapOf(affinity);
  return [
    ...nodeAffinityCauses(mapOf(nodeAffinity), `${field}.nodeAffinity`),
    ...podAffinityCauses(mapOf(podAffinity), `${field}.podAffinity`),
    ...podAffinityCauses(mapOf(podAntiAffinity), `${field}.podAntiAffinity`),
  ];
}

function nodeAffinityCauses(affinity: JsonObject, field: string): Causes {
  return [
    ...nodeSelectorCauses(affinity[must], `${field}.${must}`),
    ...objectsOf(affinity[should]).flatMap(({ weight, preference }, at) => [
      ...weightCauses(weight, `${field}.${should}[${at}]`),
      ...nodeTermCauses(preference, `${field}.${should}[${at}].preference`, false),
    ]),
  ];
}

function podAffinityCauses(affinity: JsonObject, field: string): Causes {
  return [
    ...objectsOf(affinity[must]).flatMap((term, at) =>
      podTermCauses(term, `${field}.${must}[${at}]`),
    ),
    ...objectsOf(affinity[should]).flatMap(({ weight, podAffinityTerm }, at) => [
      ...weightCauses(weight, `${field}.${should}[${at}]`),
      ...podTermCauses(mapOf(podAffinityTerm), `${field}.${should}[${at}].podAffinityTerm`),
    ]),
  ];
}

function weightCauses(weight: unknown, field: string): Causes {
  return Number(weight ?? 0) >= 1 && Number(weight) <= 100
    ? []
    : [cause.invalid(`${field}.weight`, weight ?? 0, "must be in the range 1-100")];
}

function podTermCauses(term: JsonObject, field: string): Causes {
  const { labelSelector, namespaceSelector, namespaces, topologyKey } = term;
  return [
    ...selectorCauses(labelSelector, `${field}.labelSelector`),
    ...selectorCauses(namespaceSelector, `${field}.namespaceSelector`),
    // The names share one field.
    ...stringsOf(namespaces).flatMap((name) => dnsLabel(`${field}.namespace`, name)),
    ...comparedKeyCauses(term, field),
    ...(isUnset(topologyKey) ? [cause.required(`${field}.topologyKey`, "can not be empty")] : []),
    ...qualifiedName(`${field}.topologyKey`, String(topologyKey ?? "")),
  ];
}

function comparedKeyCauses(term: JsonObject, field: string): Causes {
  return ["matchLabelKeys", "mismatchLabelKeys"].flatMap((list) =>
    stringsOf(term[list]).length > 0 && !isJsonObject(term["labelSelector"])
      ? [cause.forbidden(`${field}.${list}`, "must not be specified when labelSelector is not set")]
      : labelKeyCauses(term, list, field),
  );
}
