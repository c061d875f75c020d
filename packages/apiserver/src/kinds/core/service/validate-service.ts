import type { FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import { cidrTexts, ipTexts, specialAddressTexts } from "../../../phases/validate/addresses.js";
import { isUnset } from "../../../phases/validate/checks.js";
import {
  dnsLabel,
  duplicates,
  givenOneOf,
  labels,
  oneOf,
  portNumber,
  portOrName,
  qualifiedName,
  subdomain,
} from "../../../phases/validate/old-checks.js";
import { validateBalancerStatusChange, validateMode } from "../../fields/balancer-status.js";
import { validateClusterAddress } from "./cluster-addresses.js";

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const maxAffinitySeconds = 86_400;

/** Returns the field errors of a Service. */
export function validateService(service: ApiObject, before?: ApiObject): FieldErrors {
  const spec = specOf(service);
  const { type, clusterIP } = spec;
  const ports = objectsOf(spec["ports"]);
  const needsPorts = ports.length === 0 && clusterIP !== "None" && type !== "ExternalName";
  const isOutside = type === "NodePort" || type === "LoadBalancer";
  return [
    ...(needsPorts ? [cause.required("spec.ports")] : []),
    ...(type === "ExternalName" ? validateExternalName(spec) : []),
    ...(isOutside && clusterIP === "None"
      ? [
          cause.invalid(
            "spec.clusterIPs[0]",
            "None",
            `may not be set to 'None' for ${String(type)} services`,
          ),
        ]
      : []),
    ...ports.flatMap((port, at) => validatePort(port, `spec.ports[${at}]`, ports.length > 1)),
    ...duplicates(
      ports.map(({ name }) => name),
      (at) => `spec.ports[${at}].name`,
    ),
    ...labels("spec.selector", spec["selector"]),
    ...oneOf("spec.sessionAffinity", spec["sessionAffinity"], ["ClientIP", "None"]),
    ...validateAffinity(spec),
    ...validateClusterAddress(spec, specOf(before ?? {})),
    ...stringsOf(spec["externalIPs"]).flatMap((ip, at) =>
      validateExternalAddress(ip, `spec.externalIPs[${at}]`),
    ),
    ...oneOf("spec.type", type, types),
    ...validateNodePort(ports, type),
    ...validateSharedNodePort(ports),
    ...validateDuplicatePorts(ports),
    ...(type === "LoadBalancer" ? validateSourceRange(service, before) : []),
    ...validateBalancer(service),
    ...validateTraffic(spec, isOutside),
    ...validateHealth(spec),
    ...validateInternalTraffic(spec),
  ];
}

function validateExternalName(spec: JsonObject): FieldErrors {
  const name = spec["externalName"];
  return [
    ...(isUnset(spec["clusterIP"])
      ? []
      : [cause.forbidden("spec.clusterIPs", "may not be set for ExternalName services")]),
    ...(stringsOf(spec["ipFamilies"]).length === 0
      ? []
      : [cause.forbidden("spec.ipFamilies", "may not be set for ExternalName services")]),
    ...(spec["ipFamilyPolicy"] === undefined
      ? []
      : [cause.forbidden("spec.ipFamilyPolicy", "may not be set for ExternalName services")]),
    ...(isUnset(name)
      ? [cause.required("spec.externalName")]
      : subdomain("spec.externalName", String(name).replace(/\.$/, ""))),
  ];
}

function validatePort(port: JsonObject, field: string, needsName: boolean): FieldErrors {
  const { name, port: number, targetPort, protocol } = port;
  return [
    ...(isUnset(name)
      ? needsName
        ? [cause.required(`${field}.name`)]
        : []
      : dnsLabel(`${field}.name`, name)),
    ...portNumber(`${field}.port`, number),
    ...oneOf(`${field}.protocol`, protocol, ["SCTP", "TCP", "UDP"]),
    ...portOrName(`${field}.targetPort`, targetPort),
    ...(typeof port["appProtocol"] === "string"
      ? qualifiedName(`${field}.appProtocol`, port["appProtocol"])
      : []),
  ];
}

function validateAffinity(spec: JsonObject): FieldErrors {
  const { sessionAffinity } = spec;
  const { clientIP } = mapOf(spec["sessionAffinityConfig"]);
  const seconds = mapOf(clientIP)["timeoutSeconds"];
  const isWrong = typeof seconds === "number" && (seconds <= 0 || seconds > maxAffinitySeconds);
  return sessionAffinity === "ClientIP" && isWrong
    ? [
        cause.invalid(
          "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
          seconds,
          `must be greater than 0 and less than ${maxAffinitySeconds}`,
        ),
      ]
    : [];
}

function validateExternalAddress(ip: string, field: string): FieldErrors {
  const wrong = ipTexts(ip);
  const texts = wrong.length > 0 ? wrong : specialAddressTexts(ip);
  return texts.map((why) => cause.invalid(field, ip, why));
}

const rangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
const rangesAnnotationField = `metadata.annotations[${rangesAnnotation}]`;

/** Checks the source ranges of a load balancer; the annotation counts only if the field is empty. */
function validateSourceRange(service: ApiObject, before: ApiObject | undefined): FieldErrors {
  const ranges = stringsOf(specOf(service)["loadBalancerSourceRanges"]);
  const kept = stringsOf(specOf(before ?? {})["loadBalancerSourceRanges"]);
  const annotation = (service.metadata.annotations?.[rangesAnnotation] ?? "").trim();
  return ranges.length > 0 || annotation === ""
    ? ranges.flatMap((range, at) =>
        kept.includes(range) ? [] : validateRange(`spec.LoadBalancerSourceRanges[${at}]`, range),
      )
    : annotation.split(",").flatMap((range) => validateRange(rangesAnnotationField, range.trim()));
}

function validateRange(field: string, range: string): FieldErrors {
  return cidrTexts(range.trim()).map((why) => cause.invalid(field, range, why));
}

function validateNodePort(ports: readonly JsonObject[], type: unknown): FieldErrors {
  return type === "ClusterIP"
    ? ports.flatMap(({ nodePort }, at) =>
        (nodePort ?? 0) === 0
          ? []
          : [
              cause.forbidden(
                `spec.ports[${at}].nodePort`,
                "may not be used when `type` is 'ClusterIP'",
              ),
            ],
      )
    : [];
}

function validateSharedNodePort(ports: readonly JsonObject[]): FieldErrors {
  return duplicates(
    ports.map(({ nodePort, protocol }) =>
      (nodePort ?? 0) === 0 ? undefined : `${String(protocol)}/${String(nodePort)}`,
    ),
    (at) => `spec.ports[${at}].nodePort`,
  ).map(({ field = "" }) => {
    const at = Number(/\d+/.exec(field)?.[0]);
    return cause.duplicate(field, ports[at]?.["nodePort"]);
  });
}

function validateDuplicatePorts(ports: readonly JsonObject[]): FieldErrors {
  const seen = new Set<string>();
  return ports.flatMap(({ port, protocol }, at) => {
    const key = `${String(protocol)}/${String(port)}`;
    const isTwice = seen.has(key);
    seen.add(key);
    const shown = {
      Name: "",
      Protocol: protocol,
      AppProtocol: null,
      Port: port,
      TargetPort: 0,
      NodePort: 0,
    };
    return isTwice ? [cause.duplicate(`spec.ports[${at}]`, shown)] : [];
  });
}

/** Returns errors for fields that only load balancers may have. */
function validateBalancer(service: ApiObject): FieldErrors {
  const spec = specOf(service);
  const { type } = spec;
  const isBalanced = type === "LoadBalancer";
  const hasRanges = stringsOf(spec["loadBalancerSourceRanges"]).length > 0;
  const hasAnnotation = !hasRanges && !isUnset(service.metadata.annotations?.[rangesAnnotation]);
  const given = [
    [
      hasAnnotation ? rangesAnnotationField : "spec.LoadBalancerSourceRanges",
      hasRanges || hasAnnotation,
    ],
    ["spec.allocateLoadBalancerNodePorts", spec["allocateLoadBalancerNodePorts"] !== undefined],
    ["spec.loadBalancerClass", spec["loadBalancerClass"] !== undefined],
  ] as const;
  const misplaced = isBalanced ? [] : given.filter(([, isGiven]) => isGiven);
  const name = spec["loadBalancerClass"];
  return [
    ...(isBalanced && typeof name === "string"
      ? qualifiedName("spec.loadBalancerClass", name)
      : []),
    ...misplaced.map(([field]) =>
      cause.forbidden(field, "may only be used when `type` is 'LoadBalancer'"),
    ),
  ];
}

function validateTraffic(spec: JsonObject, isOutside: boolean): FieldErrors {
  const { externalTrafficPolicy } = spec;
  const isMisplaced =
    !isUnset(externalTrafficPolicy) &&
    !isOutside &&
    !(spec["type"] === "ClusterIP" && stringsOf(spec["externalIPs"]).length > 0);
  return [
    ...(isMisplaced
      ? [
          cause.invalid(
            "spec.externalTrafficPolicy",
            externalTrafficPolicy,
            "may only be set for externally-accessible services",
          ),
        ]
      : oneOf("spec.externalTrafficPolicy", externalTrafficPolicy, trafficPolicies)),
  ];
}

function validateHealth(spec: JsonObject): FieldErrors {
  const { type, externalTrafficPolicy, healthCheckNodePort = 0 } = spec;
  const field = "spec.healthCheckNodePort";
  const local =
    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  if (healthCheckNodePort === 0) {
    return [];
  }
  return [
    ...portNumber(field, healthCheckNodePort),
    ...(type === "LoadBalancer" && externalTrafficPolicy === "Local"
      ? []
      : [cause.invalid(field, healthCheckNodePort, local)]),
  ];
}

function validateInternalTraffic(spec: JsonObject): FieldErrors {
  return [
    ...givenOneOf("spec.internalTrafficPolicy", spec["internalTrafficPolicy"], trafficPolicies),
    ...givenOneOf("spec.trafficDistribution", spec["trafficDistribution"], distributions),
  ];
}

const trafficPolicies = ["Cluster", "Local"];

const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];

/** Checks that cluster IP, load balancer class and health check port don't change while they apply. */
export function validateServiceUpdate(service: ApiObject, before: ApiObject): FieldErrors {
  const now = specOf(service);
  const then = specOf(before);
  const isPlain = (spec: JsonObject) => spec["type"] !== "ExternalName";
  const first = stringsOf(then["clusterIPs"])[0];
  const ips = stringsOf(now["clusterIPs"]);
  const isSplit = now["clusterIP"] !== ips[0];
  const areBalanced = [now, then].every(({ type }) => type === "LoadBalancer");
  const { loadBalancerClass = null } = now;
  const kept = "may not change once set";
  const checksHealth = (spec: JsonObject) =>
    spec["type"] === "LoadBalancer" && spec["externalTrafficPolicy"] === "Local";
  const isMoved =
    [now, then].every(checksHealth) && now["healthCheckNodePort"] !== then["healthCheckNodePort"];
  return [
    ...(isMoved ? [cause.forbidden("spec.healthCheckNodePort", "field is immutable")] : []),
    ...(isPlain(now) && isPlain(then) && first !== undefined && ips[0] !== first && !isSplit
      ? [cause.invalid("spec.clusterIPs[0]", ips, kept)]
      : []),
    ...(areBalanced && loadBalancerClass !== (then["loadBalancerClass"] ?? null)
      ? [cause.invalid("spec.loadBalancerClass", loadBalancerClass, kept)]
      : []),
  ];
}

/** Returns the field errors of a Service status reported by a load balancer. */
export function validateServiceStatus(service: ApiObject, before: ApiObject): FieldErrors {
  const { ingress } = mapOf(mapOf(service["status"])["loadBalancer"]);
  const isBalanced = specOf(service)["type"] === "LoadBalancer";
  return objectsOf(ingress).length > 0 && !isBalanced
    ? [
        cause.forbidden(
          "status.loadBalancer.ingress",
          "may only be used when `spec.type` is 'LoadBalancer'",
        ),
      ]
    : [...validateBalancerStatusChange(service, before), ...validateMode(service)];
}
