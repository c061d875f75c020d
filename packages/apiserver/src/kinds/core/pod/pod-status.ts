import { isIP } from "node:net";
import type { FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, jsonEqual } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import { isUnset } from "../../../phases/validate/checks.js";
import { qualifiedName, subdomain } from "../../../phases/validate/old-checks.js";

const noAddress = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const tooManyAddresses = "may specify no more than one IP for each IP family";
const noCount = "must be a non-negative integer";

/** Returns the field errors of a Pod status reported by a kubelet or scheduler. */
export function validatePodStatus(pod: ApiObject, before: ApiObject): FieldErrors {
  const status = mapOf(pod["status"]);
  const then = mapOf(before["status"]);
  const { qosClass, observedGeneration, conditions } = status;
  return [
    ...(jsonEqual(qosClass ?? null, then["qosClass"] ?? null)
      ? []
      : [cause.invalid("status.qosClass", qosClass, "field is immutable")]),
    ...validateNomination(pod, then),
    ...(Number(observedGeneration ?? 0) < 0
      ? [cause.invalid("status.observedGeneration", observedGeneration, noCount)]
      : []),
    ...objectsOf(conditions).flatMap(({ type, observedGeneration: seen }, at) => [
      ...(Number(seen ?? 0) < 0
        ? [cause.invalid(`status.conditions[${at}].observedGeneration`, seen, noCount)]
        : []),
      ...qualifiedName(`status.conditions[${at}].Type`, String(type ?? "")),
    ]),
    ...validateAddress(status),
    ...validateRestart(pod, then),
    ...validateClaim(pod),
  ];
}

function validateNomination(pod: ApiObject, then: JsonObject): FieldErrors {
  const { nominatedNodeName } = mapOf(pod["status"]);
  const field = "status.nominatedNodeName";
  const bound = "may not be set on pods that are already bound to a node";
  return isUnset(nominatedNodeName)
    ? []
    : [
        ...subdomain(field, nominatedNodeName),
        ...(isUnset(specOf(pod)["nodeName"]) || then["nominatedNodeName"] === nominatedNodeName
          ? []
          : [cause.forbidden(field, bound)]),
      ];
}

function validateAddress({ podIPs, hostIP, hostIPs }: JsonObject): FieldErrors {
  const addresses = objectsOf(podIPs);
  const wrong = addresses.flatMap(({ ip }, at) =>
    isIP(String(ip ?? "")) === 0 ? [cause.invalid(`status.podIPs[${at}]`, ip, noAddress)] : [],
  );
  const families = addresses.map(({ ip }) => isIP(String(ip ?? "")));
  const shown = addresses.map(({ ip }) => ({ IP: ip }));
  const [host] = objectsOf(hostIPs);
  return [
    ...wrong,
    ...(wrong.length === 0 && new Set(families).size < families.length
      ? [cause.invalid("status.podIPs", shown, tooManyAddresses)]
      : []),
    ...(host === undefined || host["ip"] === hostIP
      ? []
      : [cause.invalid("status.hostIPs[0].ip", host["ip"], "must be equal to `hostIP`")]),
  ];
}

/** Checks that terminated containers don't run again, if the restart policy forbids it. */
function validateRestart(pod: ApiObject, then: JsonObject): FieldErrors {
  const policy = specOf(pod)["restartPolicy"];
  const ended = objectsOf(then["containerStatuses"]).filter(
    ({ state }) => mapOf(state)["terminated"] !== undefined,
  );
  const stays = (exitCode: unknown) =>
    policy === "Never" || (policy === "OnFailure" && exitCode === 0);
  return objectsOf(mapOf(pod["status"])["containerStatuses"]).flatMap(({ name, state }, at) => {
    const old = ended.find((one) => one["name"] === name);
    const { exitCode } = mapOf(mapOf(old?.["state"])["terminated"]);
    return old !== undefined && stays(exitCode) && mapOf(state)["terminated"] === undefined
      ? [
          cause.forbidden(
            `status.containerStatuses[${at}].state`,
            "may not be transitioned to non-terminated state",
          ),
        ]
      : [];
  });
}

function validateClaim(pod: ApiObject): FieldErrors {
  const known = objectsOf(specOf(pod)["resourceClaims"]).map(({ name }) => name);
  return objectsOf(mapOf(pod["status"])["resourceClaimStatuses"]).flatMap(({ name }, at) =>
    known.includes(name)
      ? []
      : [
          cause.invalid(
            `status.resourceClaimStatuses[${at}].name`,
            name,
            "must match the name of an entry in `spec.resourceClaims`",
          ),
        ],
  );
}
