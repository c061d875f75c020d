import { mapOf, objectsOf, specOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import type { ApiObject } from "../store/stored-object.js";
import { type Causes, dnsLabel, isUnset, notNegative, oneOf } from "./checks.js";

const maxPriority = 1_000_000_000;
const systemPriorities = ["system-cluster-critical", "system-node-critical"];

/** What is wrong with a Lease. */
export function leaseCauses(lease: ApiObject): Causes {
  const { leaseDurationSeconds, leaseTransitions } = specOf(lease);
  const isShort = typeof leaseDurationSeconds === "number" && leaseDurationSeconds <= 0;
  return [
    ...(isShort
      ? [cause.invalid("spec.leaseDurationSeconds", leaseDurationSeconds, "must be greater than 0")]
      : []),
    ...notNegative("spec.leaseTransitions", leaseTransitions),
  ];
}

/** What is wrong with a PriorityClass. */
export function priorityClassCauses({ metadata, value, preemptionPolicy }: ApiObject): Causes {
  const { name = "" } = metadata;
  const isSystem = name.startsWith("system-");
  const isKnown = systemPriorities.includes(name);
  return [
    ...(isSystem && !isKnown
      ? [
          cause.forbidden(
            "metadata.name",
            `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`,
          ),
        ]
      : []),
    ...(!isSystem && typeof value === "number" && value > maxPriority
      ? [
          cause.forbidden(
            "value",
            `maximum allowed value of a user defined priority is ${maxPriority}`,
          ),
        ]
      : []),
    ...oneOf("preemptionPolicy", preemptionPolicy, ["PreemptLowerPriority", "Never"]),
  ];
}

/** What is wrong with a RuntimeClass. */
export function runtimeClassCauses({ handler }: ApiObject): Causes {
  return isUnset(handler) ? [cause.required("handler")] : dnsLabel("handler", handler);
}

/** What is wrong with a ControllerRevision. */
export function revisionCauses({ revision, data }: ApiObject): Causes {
  return [
    ...notNegative("revision", revision),
    ...(data === undefined || data === null ? [cause.required("data", "data is mandatory")] : []),
  ];
}

/** What is wrong with an Event of the old form. */
export function eventCauses({ metadata, involvedObject }: ApiObject): Causes {
  const { namespace } = mapOf(involvedObject);
  return namespace !== undefined && namespace !== metadata.namespace
    ? [cause.invalid("involvedObject.namespace", namespace, "does not match event.namespace")]
    : [];
}

/** What is wrong with an IngressClass. */
export function ingressClassCauses(object: ApiObject): Causes {
  const { controller } = specOf(object);
  return isUnset(controller)
    ? [cause.required("spec.controller")]
    : /^[^/]+\/.+$/.test(String(controller))
      ? []
      : [
          cause.invalid(
            "spec.controller",
            controller,
            'must be a domain-prefixed path (such as "acme.io/foo")',
          ),
        ];
}

/** What is wrong with webhooks that decide about requests. */
export function webhookCauses({ webhooks }: ApiObject): Causes {
  return objectsOf(webhooks).flatMap((one, at) => {
    const field = `webhooks[${at}]`;
    const { name, sideEffects, clientConfig, admissionReviewVersions, timeoutSeconds } = one;
    const { url, service } = mapOf(clientConfig);
    const hasNone = Array.isArray(admissionReviewVersions) && admissionReviewVersions.length > 0;
    const scheme = typeof url === "string" ? (/^([a-z]+):/.exec(url)?.[1] ?? "") : "https";
    const isOutOfRange =
      typeof timeoutSeconds === "number" && (timeoutSeconds < 1 || timeoutSeconds > 30);
    const hasOne = (url === undefined) !== (service === undefined);
    return [
      ...(String(name ?? "").split(".").length < 3
        ? [
            cause.invalid(
              `${field}.name`,
              name ?? "",
              "should be a domain with at least three segments separated by dots",
            ),
          ]
        : []),
      ...(hasNone
        ? []
        : [cause.required(`${field}.admissionReviewVersions`, "must specify one of v1, v1beta1")]),
      ...objectsOf(one["rules"]).flatMap((rule, ruleAt) =>
        ["operations", "apiGroups", "apiVersions", "resources"].flatMap((key) =>
          Array.isArray(rule[key]) && rule[key].length > 0
            ? []
            : [cause.required(`${field}.rules[${ruleAt}].${key}`)],
        ),
      ),
      ...oneOf(`${field}.failurePolicy`, one["failurePolicy"], ["Fail", "Ignore"]),
      ...oneOf(`${field}.matchPolicy`, one["matchPolicy"], ["Equivalent", "Exact"]),
      ...(isUnset(sideEffects)
        ? [cause.required(`${field}.sideEffects`, 'must specify one of "None", "NoneOnDryRun"')]
        : oneOf(`${field}.sideEffects`, sideEffects, ["None", "NoneOnDryRun"])),
      ...(isOutOfRange
        ? [
            cause.invalid(
              `${field}.timeoutSeconds`,
              timeoutSeconds,
              "the timeout value must be between 1 and 30 seconds",
            ),
          ]
        : []),
      ...(hasOne
        ? []
        : [cause.required(`${field}.clientConfig`, "exactly one of url or service is required")]),
      ...(hasOne && scheme !== "https"
        ? [
            cause.invalid(
              `${field}.clientConfig.url`,
              scheme,
              "'https' is the only allowed URL scheme; desired format: https://host[/path]",
            ),
          ]
        : []),
    ];
  });
}
