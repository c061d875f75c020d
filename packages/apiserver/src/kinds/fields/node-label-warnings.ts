import { stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { labelValueTexts } from "../../phases/validate/name-texts.js";

const since = (version: string, label: string) =>
  `deprecated since ${version}; use "${label}" instead`;

/** Deprecation texts of node labels. */
const oldLabels: ReadonlyMap<string, string> = new Map([
  ["beta.kubernetes.io/arch", since("v1.14", "kubernetes.io/arch")],
  ["beta.kubernetes.io/os", since("v1.14", "kubernetes.io/os")],
  ["failure-domain.beta.kubernetes.io/region", since("v1.17", "topology.kubernetes.io/region")],
  ["failure-domain.beta.kubernetes.io/zone", since("v1.17", "topology.kubernetes.io/zone")],
  ["beta.kubernetes.io/instance-type", since("v1.17", "node.kubernetes.io/instance-type")],
  ["app.kubernetes.io/created-by", "deprecated since v1.9"],
  [
    "scheduler.alpha.kubernetes.io/preferAvoidPods",
    "deprecated since v1.22; use Taints and Tolerations instead",
  ],
  ["node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Returns the deprecation text of a node label; `undefined` when it is not deprecated. */
export function oldLabelText(label: unknown): string | undefined {
  return oldLabels.get(String(label));
}

/** Returns warnings about deprecated labels in a plain node selector. */
export function nodeLabelWarnings(selector: unknown, fieldOf: (label: string) => string): string[] {
  return Object.keys(mapOf(selector)).flatMap((label) => {
    const text = oldLabelText(label);
    return text === undefined ? [] : [`${fieldOf(label)}: ${text}`];
  });
}

/** Returns warnings about a required node selector. */
export function nodeSelectorWarnings(selector: unknown, path: string): string[] {
  return objectsOf(mapOf(selector)["nodeSelectorTerms"]).flatMap((term, at) =>
    nodeTermWarnings(term, `${path}.nodeSelectorTerms[${at}]`),
  );
}

/** Returns warnings about a node selector term: deprecated labels and invalid label values. */
export function nodeTermWarnings(term: unknown, path: string): string[] {
  return objectsOf(mapOf(term)["matchExpressions"]).flatMap(({ key, values }, at) => {
    const place = `${path}.matchExpressions[${at}]`;
    const text = oldLabelText(key);
    return [
      ...(text === undefined ? [] : [`${place}.key: ${String(key)} is ${text}`]),
      ...stringsOf(values).flatMap((value, valueAt) =>
        labelValueTexts(value).map(
          (why) => `${place}.values[${valueAt}]: ${value} is invalid, ${why}`,
        ),
      ),
    ];
  });
}
