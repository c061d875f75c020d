import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../objects/parts.js";
import { cidrTexts, isOutside } from "../../phases/validate/addresses.js";
import { isUnset } from "../../phases/validate/checks.js";
import {
  dnsLabel,
  givenOneOf,
  portNumber,
  portOrName,
  subdomain,
} from "../../phases/validate/old-checks.js";
import { validateNamedKind } from "../fields/others.js";
import { validateSelector } from "../fields/selectors.js";

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];

/** Returns the field errors of an Ingress. */
export function validateIngress(ingress: ApiObject): FieldErrors {
  const spec = specOf(ingress);
  const { defaultBackend, ingressClassName } = spec;
  const rules = objectsOf(spec["rules"]);
  return [
    ...(rules.length === 0 && !isJsonObject(defaultBackend)
      ? [cause.invalid("spec", null, "either `defaultBackend` or `rules` must be specified")]
      : []),
    ...(isJsonObject(defaultBackend) ? validateBackend(defaultBackend, "spec.defaultBackend") : []),
    ...rules.flatMap((rule, at) => validateRule(rule, `spec.rules[${at}]`)),
    ...objectsOf(spec["tls"]).flatMap(({ hosts, secretName }, at) => [
      ...stringsOf(hosts).flatMap((host, hostAt) =>
        validateName(host, `spec.tls[${at}].hosts[${hostAt}]`),
      ),
      ...(isUnset(secretName) ? [] : subdomain(`spec.tls[${at}].secretName`, secretName)),
    ]),
    ...(typeof ingressClassName === "string"
      ? subdomain("spec.ingressClassName", ingressClassName)
      : []),
  ];
}

function validateRule({ host, http }: JsonObject, field: string): FieldErrors {
  const name = isUnset(host) ? [] : validateHost(String(host), `${field}.host`);
  if (!isJsonObject(http)) {
    return name;
  }
  const paths = objectsOf(http["paths"]);
  return [
    ...name,
    ...(paths.length === 0 ? [cause.required(`${field}.http.paths`)] : []),
    ...paths.flatMap((path, at) => validatePath(path, `${field}.http.paths[${at}]`)),
  ];
}

function validateHost(host: string, field: string): FieldErrors {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) {
    return [cause.invalid(field, host, "must be a DNS name, not an IP address")];
  }
  return validateName(host, field);
}

/** Checks a host name or wildcard host. */
function validateName(host: string, field: string): FieldErrors {
  if (!host.includes("*")) {
    return subdomain(field, host);
  }
  return host.startsWith("*.") && subdomain(field, host.slice(2)).length === 0
    ? []
    : [
        cause.invalid(
          field,
          host,
          "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        ),
      ];
}

/** Sequences that a path must not contain. */
const badParts = ["//", "/./", "/../", "%2f", "%2F"];
const badEnds = ["/..", "/."];

function validatePath({ path, pathType, backend }: JsonObject, field: string): FieldErrors {
  const text = String(path ?? "");
  const isExact = pathType === "Exact" || pathType === "Prefix";
  const invalid = (why: string) => cause.invalid(`${field}.path`, text, why);
  const isRelative = !text.startsWith("/") && (isExact || text !== "");
  if (pathType === undefined || pathType === null) {
    return [cause.required(`${field}.pathType`, "pathType must be specified")];
  }
  return [
    ...(isExact
      ? [
          ...(isRelative ? [invalid("must be an absolute path")] : []),
          ...(text === ""
            ? []
            : [
                ...badParts
                  .filter((part) => text.includes(part))
                  .map((part) => invalid(`must not contain '${part}'`)),
                ...badEnds
                  .filter((end) => text.endsWith(end))
                  .map((end) => invalid(`cannot end with '${end}'`)),
              ]),
        ]
      : pathType === "ImplementationSpecific"
        ? isRelative
          ? [invalid("must be an absolute path")]
          : []
        : givenOneOf(`${field}.pathType`, pathType, pathTypes)),
    ...validateBackend(mapOf(backend), `${field}.backend`),
  ];
}

function validateBackend({ service, resource }: JsonObject, field: string): FieldErrors {
  const hasResource = isJsonObject(resource);
  if (!isJsonObject(service)) {
    return hasResource
      ? validateNamedKind(resource, `${field}.resource`)
      : [cause.invalid(field, "", "resource or service backend is required")];
  }
  if (hasResource) {
    return [cause.invalid(field, "", "cannot set both resource and service backends")];
  }
  const { name, number } = mapOf(service["port"]);
  const hasName = !isUnset(name);
  const hasNumber = (number ?? 0) !== 0;
  const port =
    hasName && hasNumber
      ? [cause.invalid(field, "", "cannot set both port name & port number")]
      : hasName
        ? portOrName(`${field}.service.port.name`, name)
        : hasNumber
          ? portNumber(`${field}.service.port.number`, number)
          : [cause.required(field, "port name or number is required")];
  return [
    ...(isUnset(service["name"])
      ? [cause.required(`${field}.service.name`)]
      : dnsLabel(`${field}.service.name`, service["name"])),
    ...port,
  ];
}

const classAnnotation = "kubernetes.io/ingress.class";

/** Checks that a new Ingress does not name two classes by its field and annotation. */
export function validateNewIngress(ingress: ApiObject): FieldErrors {
  const { ingressClassName } = specOf(ingress);
  const annotated = ingress.metadata.annotations?.[classAnnotation];
  return isUnset(ingressClassName) || annotated === undefined || annotated === ingressClassName
    ? []
    : [
        cause.invalid(
          `annotations.${classAnnotation}`,
          annotated,
          "must match `ingressClassName` when both are specified",
        ),
      ];
}

/** Rule lists of a NetworkPolicy, and the peer list of each rule. */
const directions = [
  ["ingress", "from"],
  ["egress", "to"],
] as const;

/** Returns the CIDRs that a policy already has. They may remain even if invalid for a new policy. */
function rangesOf(policy: JsonObject): ReadonlySet<string> {
  const blocks = directions.flatMap(([key, peers]) =>
    objectsOf(specOf(policy)[key]).flatMap((rule) =>
      objectsOf(rule[peers]).map(({ ipBlock }) => mapOf(ipBlock)),
    ),
  );
  return new Set(blocks.flatMap(({ cidr, except }) => [String(cidr), ...stringsOf(except)]));
}

/** Returns the field errors of a NetworkPolicy. */
export function validateNetworkPolicy(policy: ApiObject, before?: ApiObject): FieldErrors {
  const spec = specOf(policy);
  const kept = rangesOf(before ?? {});
  const types = stringsOf(spec["policyTypes"]);
  const rules = (key: string, peers: string) =>
    objectsOf(spec[key]).flatMap((rule, at) => [
      ...objectsOf(rule["ports"]).flatMap((port, portAt) =>
        validatePolicyPort(port, `spec.${key}[${at}].ports[${portAt}]`),
      ),
      ...objectsOf(rule[peers]).flatMap((peer, peerAt) =>
        validatePeer(peer, `spec.${key}[${at}].${peers}[${peerAt}]`, kept),
      ),
    ]);
  return [
    ...validateSelector(spec["podSelector"], "spec.podSelector"),
    ...directions.flatMap(([key, peers]) => rules(key, peers)),
    ...(types.length > 2
      ? [cause.invalid("spec.policyTypes", types, "may not specify more than two policyTypes")]
      : types.flatMap((type, at) =>
          givenOneOf(`spec.policyTypes[${at}]`, type, ["Ingress", "Egress"]),
        )),
  ];
}

function validatePolicyPort({ port, endPort, protocol }: JsonObject, field: string): FieldErrors {
  const last = typeof endPort === "number" ? endPort : undefined;
  const range: FieldErrors =
    last === undefined
      ? []
      : port === undefined
        ? [
            cause.invalid(
              `${field}.endPort`,
              last,
              "may not be specified when `port` is not specified",
            ),
          ]
        : typeof port === "string"
          ? [
              cause.invalid(
                `${field}.endPort`,
                last,
                "may not be specified when `port` is non-numeric",
              ),
            ]
          : [
              ...(last < Number(port)
                ? [
                    cause.invalid(
                      `${field}.endPort`,
                      last,
                      "must be greater than or equal to `port`",
                    ),
                  ]
                : []),
              ...portNumber(`${field}.endPort`, last),
            ];
  const isNumber = typeof port === "number";
  return [
    ...givenOneOf(`${field}.protocol`, protocol, ["TCP", "UDP", "SCTP"]),
    ...(isNumber ? portOrName(`${field}.port`, port) : []),
    ...range,
    ...(typeof port === "string" ? portOrName(`${field}.port`, port) : []),
  ];
}

function validatePeer(peer: JsonObject, field: string, kept: ReadonlySet<string>): FieldErrors {
  const { ipBlock } = peer;
  const hasSelector = isJsonObject(peer["podSelector"]) || isJsonObject(peer["namespaceSelector"]);
  const selectors = ["podSelector", "namespaceSelector"].flatMap((key) =>
    validateSelector(peer[key], `${field}.${key}`),
  );
  if (!isJsonObject(ipBlock)) {
    return hasSelector ? selectors : [cause.required(field, "must specify a peer")];
  }
  const cidr = String(ipBlock["cidr"] ?? "");
  const block = `${field}.ipBlock`;
  const wrong = (range: string) => (kept.has(range) ? [] : cidrTexts(range));
  return [
    ...selectors,
    // The schema requires a CIDR.
    ...(cidr === "" ? [] : wrong(cidr)).map((why) => cause.invalid(`${block}.cidr`, cidr, why)),
    ...stringsOf(ipBlock["except"]).flatMap((one, at) =>
      [...wrong(one), ...(isOutside(one, cidr) ? ["must be a strict subset of `cidr`"] : [])].map(
        (why) => cause.invalid(`${block}.except[${at}]`, one, why),
      ),
    ),
    ...(hasSelector
      ? [cause.forbidden(field, "may not specify both ipBlock and another peer")]
      : []),
  ];
}
