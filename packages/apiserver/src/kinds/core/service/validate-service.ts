import { collectErrors, type FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import { cidrTexts, ipTexts, specialAddressTexts } from "../../../phases/validate/addresses.js";
import {
  appendInvalid,
  isUnset,
  validateDnsLabel,
  validateGivenOneOf,
  validateItems,
  validateLabels,
  validateOneOf,
  validatePort,
  validatePortOrName,
  validateQualifiedName,
  validateSubdomain,
  validateUnique,
  validateUniqueKeys,
} from "../../../phases/validate/checks.js";
import { validateBalancerStatus, validateIpModes } from "../../networking/balancer-status.js";
import { validateClusterAddress } from "./cluster-addresses.js";

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const maxAffinitySeconds = 86_400;

/** Appends the field errors of a Service. */
export function validateService(service: ApiObject, errors: FieldErrors, before?: ApiObject): void {
  const spec = specOf(service);
  const { type, clusterIP } = spec;
  const ports = objectsOf(spec["ports"]);
  const needsPorts = ports.length === 0 && clusterIP !== "None" && type !== "ExternalName";
  const isOutside = type === "NodePort" || type === "LoadBalancer";
  if (needsPorts) {
    errors.push(cause.required("spec.ports"));
  }
  if (type === "ExternalName") {
    validateExternalName(spec, errors);
  }
  if (isOutside && clusterIP === "None") {
    errors.push(
      cause.invalid(
        "spec.clusterIPs[0]",
        "None",
        `may not be set to 'None' for ${String(type)} services`,
      ),
    );
  }
  for (const [at, port] of ports.entries()) {
    validateServicePort(port, `spec.ports[${at}]`, errors, ports.length > 1);
  }
  validateUniqueKeys(ports, "name", "spec.ports", errors);
  validateLabels(spec["selector"], "spec.selector", errors);
  validateOneOf(spec["sessionAffinity"], ["ClientIP", "None"], "spec.sessionAffinity", errors);
  validateAffinity(spec, errors);
  validateClusterAddress(spec, errors, specOf(before ?? {}));
  validateItems(
    stringsOf(spec["externalIPs"]),
    validateExternalAddress,
    "spec.externalIPs",
    errors,
  );
  validateOneOf(type, types, "spec.type", errors);
  validateNodePort(ports, type, errors);
  validateSharedNodePort(ports, errors);
  validateDuplicatePorts(ports, errors);
  if (type === "LoadBalancer") {
    validateSourceRange(service, before, errors);
  }
  validateBalancer(service, errors);
  validateTraffic(spec, isOutside, errors);
  validateHealth(spec, errors);
  validateInternalTraffic(spec, errors);
}

function validateExternalName(spec: JsonObject, errors: FieldErrors): void {
  const name = spec["externalName"];
  if (!isUnset(spec["clusterIP"])) {
    errors.push(cause.forbidden("spec.clusterIPs", "may not be set for ExternalName services"));
  }
  if (stringsOf(spec["ipFamilies"]).length !== 0) {
    errors.push(cause.forbidden("spec.ipFamilies", "may not be set for ExternalName services"));
  }
  if (spec["ipFamilyPolicy"] !== undefined) {
    errors.push(cause.forbidden("spec.ipFamilyPolicy", "may not be set for ExternalName services"));
  }
  if (isUnset(name)) {
    errors.push(cause.required("spec.externalName"));
  } else {
    validateSubdomain(String(name).replace(/\.$/, ""), "spec.externalName", errors);
  }
}

function validateServicePort(
  port: JsonObject,
  path: string,
  errors: FieldErrors,
  needsName: boolean,
): void {
  const { name, port: number, targetPort, protocol } = port;
  if (isUnset(name)) {
    if (needsName) {
      errors.push(cause.required(`${path}.name`));
    }
  } else {
    validateDnsLabel(name, `${path}.name`, errors);
  }
  validatePort(number, `${path}.port`, errors);
  validateOneOf(protocol, ["SCTP", "TCP", "UDP"], `${path}.protocol`, errors);
  validatePortOrName(targetPort, `${path}.targetPort`, errors);
  if (typeof port["appProtocol"] === "string") {
    validateQualifiedName(port["appProtocol"], `${path}.appProtocol`, errors);
  }
}

function validateAffinity(spec: JsonObject, errors: FieldErrors): void {
  const { sessionAffinity } = spec;
  const { clientIP } = mapOf(spec["sessionAffinityConfig"]);
  const seconds = mapOf(clientIP)["timeoutSeconds"];
  const isWrong = typeof seconds === "number" && (seconds <= 0 || seconds > maxAffinitySeconds);
  if (sessionAffinity === "ClientIP" && isWrong) {
    errors.push(
      cause.invalid(
        "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
        seconds,
        `must be greater than 0 and less than ${maxAffinitySeconds}`,
      ),
    );
  }
}

function validateExternalAddress(ip: string, path: string, errors: FieldErrors): void {
  const wrong = ipTexts(ip);
  const texts = wrong.length > 0 ? wrong : specialAddressTexts(ip);
  appendInvalid(texts, ip, path, errors);
}

const rangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
const rangesAnnotationField = `metadata.annotations[${rangesAnnotation}]`;

/** Checks the source ranges of a load balancer; the annotation counts only if the field is empty. */
function validateSourceRange(
  service: ApiObject,
  before: ApiObject | undefined,
  errors: FieldErrors,
): void {
  const ranges = stringsOf(specOf(service)["loadBalancerSourceRanges"]);
  const kept = stringsOf(specOf(before ?? {})["loadBalancerSourceRanges"]);
  const annotation = (service.metadata.annotations?.[rangesAnnotation] ?? "").trim();
  if (ranges.length > 0 || annotation === "") {
    for (const [at, range] of ranges.entries()) {
      if (!kept.includes(range)) {
        validateRange(range, `spec.LoadBalancerSourceRanges[${at}]`, errors);
      }
    }
  } else {
    for (const range of annotation.split(",")) {
      validateRange(range.trim(), rangesAnnotationField, errors);
    }
  }
}

function validateRange(range: string, path: string, errors: FieldErrors): void {
  appendInvalid(cidrTexts(range.trim()), range, path, errors);
}

function validateNodePort(ports: readonly JsonObject[], type: unknown, errors: FieldErrors): void {
  if (type === "ClusterIP") {
    for (const [at, { nodePort }] of ports.entries()) {
      if ((nodePort ?? 0) !== 0) {
        errors.push(
          cause.forbidden(
            `spec.ports[${at}].nodePort`,
            "may not be used when `type` is 'ClusterIP'",
          ),
        );
      }
    }
  }
}

function validateSharedNodePort(ports: readonly JsonObject[], errors: FieldErrors): void {
  errors.push(
    ...collectErrors((found) =>
      validateUnique(
        ports.map(({ nodePort, protocol }) =>
          (nodePort ?? 0) === 0 ? undefined : `${String(protocol)}/${String(nodePort)}`,
        ),
        (at) => `spec.ports[${at}].nodePort`,
        found,
      ),
    ).map(({ field = "" }) => {
      const at = Number(/\d+/.exec(field)?.[0]);
      return cause.duplicate(field, ports[at]?.["nodePort"]);
    }),
  );
}

function validateDuplicatePorts(ports: readonly JsonObject[], errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [at, { port, protocol }] of ports.entries()) {
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
    if (isTwice) {
      errors.push(cause.duplicate(`spec.ports[${at}]`, shown));
    }
  }
}

/** Appends errors for fields that only load balancers may have. */
function validateBalancer(service: ApiObject, errors: FieldErrors): void {
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
  if (isBalanced && typeof name === "string") {
    validateQualifiedName(name, "spec.loadBalancerClass", errors);
  }
  for (const [field] of misplaced) {
    errors.push(cause.forbidden(field, "may only be used when `type` is 'LoadBalancer'"));
  }
}

function validateTraffic(spec: JsonObject, isOutside: boolean, errors: FieldErrors): void {
  const { externalTrafficPolicy } = spec;
  const isMisplaced =
    !isUnset(externalTrafficPolicy) &&
    !isOutside &&
    !(spec["type"] === "ClusterIP" && stringsOf(spec["externalIPs"]).length > 0);
  if (isMisplaced) {
    errors.push(
      cause.invalid(
        "spec.externalTrafficPolicy",
        externalTrafficPolicy,
        "may only be set for externally-accessible services",
      ),
    );
  } else {
    validateOneOf(externalTrafficPolicy, trafficPolicies, "spec.externalTrafficPolicy", errors);
  }
}

function validateHealth(spec: JsonObject, errors: FieldErrors): void {
  const { type, externalTrafficPolicy, healthCheckNodePort = 0 } = spec;
  const field = "spec.healthCheckNodePort";
  const local =
    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  if (healthCheckNodePort === 0) {
    return;
  }
  validatePort(healthCheckNodePort, field, errors);
  if (type !== "LoadBalancer" || externalTrafficPolicy !== "Local") {
    errors.push(cause.invalid(field, healthCheckNodePort, local));
  }
}

function validateInternalTraffic(spec: JsonObject, errors: FieldErrors): void {
  validateGivenOneOf(
    spec["internalTrafficPolicy"],
    trafficPolicies,
    "spec.internalTrafficPolicy",
    errors,
  );
  validateGivenOneOf(
    spec["trafficDistribution"],
    distributions,
    "spec.trafficDistribution",
    errors,
  );
}

const trafficPolicies = ["Cluster", "Local"];

const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];

/** Checks that cluster IP, load balancer class and health check port don't change while they apply. */
export function validateServiceUpdate(
  service: ApiObject,
  before: ApiObject,
  errors: FieldErrors,
): void {
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
  if (isMoved) {
    errors.push(cause.forbidden("spec.healthCheckNodePort", "field is immutable"));
  }
  if (isPlain(now) && isPlain(then) && first !== undefined && ips[0] !== first && !isSplit) {
    errors.push(cause.invalid("spec.clusterIPs[0]", ips, kept));
  }
  if (areBalanced && loadBalancerClass !== (then["loadBalancerClass"] ?? null)) {
    errors.push(cause.invalid("spec.loadBalancerClass", loadBalancerClass, kept));
  }
}

/** Appends the field errors of a Service status reported by a load balancer. */
export function validateServiceStatus(
  service: ApiObject,
  before: ApiObject,
  errors: FieldErrors,
): void {
  const { ingress } = mapOf(mapOf(service["status"])["loadBalancer"]);
  const isBalanced = specOf(service)["type"] === "LoadBalancer";
  if (objectsOf(ingress).length > 0 && !isBalanced) {
    errors.push(
      cause.forbidden(
        "status.loadBalancer.ingress",
        "may only be used when `spec.type` is 'LoadBalancer'",
      ),
    );
  } else {
    validateBalancerStatus(service, before, errors);
    validateIpModes(service, errors);
  }
}
