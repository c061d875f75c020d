import { mapOf, objectsOf, specOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import { type JsonObject, stringsOf } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import { cidrTexts, ipTexts, specialAddressTexts } from "./addresses.js";
import { modeCauses, placeCauses } from "./balancer-status.js";
import {
  type Causes,
  dnsLabel,
  duplicates,
  givenOneOf,
  isUnset,
  labels,
  oneOf,
  portNumber,
  portOrName,
  qualifiedName,
  subdomain,
} from "./checks.js";
import { clusterAddressCauses } from "./cluster-addresses.js";

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const maxAffinitySeconds = 86_400;

/** What is wrong with a Service. */
export function serviceCauses(service: ApiObject, before?: ApiObject): Causes {
  const spec = specOf(service);
  const { type, clusterIP } = spec;
  const ports = objectsOf(spec["ports"]);
  const needsPorts = ports.length === 0 && clusterIP !== "None" && type !== "ExternalName";
  const isOutside = type === "NodePort" || type === "LoadBalancer";
  return [
    ...(needsPorts ? [cause.required("spec.ports")] : []),
    ...(type === "ExternalName" ? externalNameCauses(spec) : []),
    ...(isOutside && clusterIP === "None"
      ? [
          cause.invalid(
            "spec.clusterIPs[0]",
            "None",
            `may not be set to 'None' for ${String(type)} services`,
          ),
        ]
      : []),
    ...ports.flatMap((port, at) => portCauses(port, `spec.ports[${at}]`, ports.length > 1)),
    ...duplicates(
      ports.map(({ name }) => name),
      (at) => `spec.ports[${at}].name`,
    ),
    ...labels("spec.selector", spec["selector"]),
    ...oneOf("spec.sessionAffinity", spec["sessionAffinity"], ["ClientIP", "None"]),
    ...affinityCauses(spec),
    ...clusterAddressCauses(spec, specOf(before ?? {})),
    ...stringsOf(spec["externalIPs"]).flatMap((ip, at) =>
      externalAddressCauses(ip, `spec.externalIPs[${at}]`),
    ),
    ...oneOf("spec.type", type, types),
    ...nodePortCauses(ports, type),
    ...sharedNodePortCauses(ports),
    ...twiceCauses(ports),
    ...(type === "LoadBalancer" ? sourceRangeCauses(service, before) : []),
    ...balancerCauses(service),
    ...trafficCauses(spec, isOutside),
    ...healthCauses(spec),
    ...insideCauses(spec),
  ];
}

function externalNameCauses(spec: JsonObject): Causes {
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

function portCauses(port: JsonObject, field: string, needsName: boolean): Causes {
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

function affinityCauses(spec: JsonObject): Causes {
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

function externalAddressCauses(ip: string, field: string): Causes {
  const wrong = ipTexts(ip);
  const texts = wrong.length > 0 ? wrong : specialAddressTexts(ip);
  return texts.map((why) => cause.invalid(field, ip, why));
}

const rangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
const rangesAnnotationField = `metadata.annotations[${rangesAnnotation}]`;

/** From where a balancer may be reached; the annotation is looked at where the field says nothing. */
function sourceRangeCauses(service: ApiObject, before: ApiObject | undefined): Causes {
  const ranges = stringsOf(specOf(service)["loadBalancerSourceRanges"]);
  const kept = stringsOf(specOf(before ?? {})["loadBalancerSourceRanges"]);
  const annotation = (service.metadata.annotations?.[rangesAnnotation] ?? "").trim();
  return ranges.length > 0 || annotation === ""
    ? ranges.flatMap((range, at) =>
        kept.includes(range) ? [] : rangeCauses(`spec.LoadBalancerSourceRanges[${at}]`, range),
      )
    : annotation.split(",").flatMap((range) => rangeCauses(rangesAnnotationField, range.trim()));
}

function rangeCauses(field: string, range: string): Causes {
  return cidrTexts(range.trim()).map((why) => cause.invalid(field, range, why));
}

function nodePortCauses(ports: readonly JsonObject[], type: unknown): Causes {
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

function sharedNodePortCauses(ports: readonly JsonObject[]): Causes {
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

function twiceCauses(ports: readonly JsonObject[]): Causes {
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

/** What only a load balancer has. */
function balancerCauses(service: ApiObject): Causes {
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

function trafficCauses(spec: JsonObject, isOutside: boolean): Causes {
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

function healthCauses(spec: JsonObject): Causes {
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

function insideCauses(spec: JsonObject): Causes {
  return [
    ...givenOneOf("spec.internalTrafficPolicy", spec["internalTrafficPolicy"], trafficPolicies),
    ...givenOneOf("spec.trafficDistribution", spec["trafficDistribution"], distributions),
  ];
}

const trafficPolicies = ["Cluster", "Local"];

const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];

/** The chosen address stays, as long as the service has one, and so does the balancer that looks after it. */
export function serviceUpdateCauses(service: ApiObject, before: ApiObject): Causes {
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

/** What is wrong with what a load balancer reports of a Service. */
export function serviceStatusCauses(service: ApiObject, before: ApiObject): Causes {
  const { ingress } = mapOf(mapOf(service["status"])["loadBalancer"]);
  const isBalanced = specOf(service)["type"] === "LoadBalancer";
  return objectsOf(ingress).length > 0 && !isBalanced
    ? [
        cause.forbidden(
          "status.loadBalancer.ingress",
          "may only be used when `spec.type` is 'LoadBalancer'",
        ),
      ]
    : [...placeCauses(service, before), ...modeCauses(service)];
}
