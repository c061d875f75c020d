import {
  type FieldRequirement,
  KubeError,
  type LabelRequirement,
  matchesLabels,
  parseLabelSelector,
} from "@typekube/core";
import type { ServerContext } from "../context/server-context.js";
import { badRequest } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import { getPath, isJsonObject } from "../objects/json-value.js";
import type { ServedResource } from "../resources/served-resource.js";
import { asVersion } from "../resources/versions/object-versions.js";
import { PendingConversion } from "../resources/versions/pending-conversion.js";
import { readFieldSelector } from "./field-selector.js";
import type { ListOptions } from "./list-options.js";
import { shardOfRequest } from "./shards/shard-of-request.js";

/** The selection of a list or watch. */
export interface ObjectFilter {
  /** `true` without selectors: every object matches. */
  readonly all: boolean;
  /** The shard selector as shown in lists; absent when all shards are requested. */
  readonly shard?: string | undefined;
  matches(object: ApiObject): boolean;
}

/** Parses the selectors of a request; rejects invalid ones with 400. */
export function createFilter(
  server: Pick<ServerContext, "gates">,
  resource: ServedResource,
  options: Pick<ListOptions, "fieldSelector" | "labelSelector" | "shardSelector">,
): ObjectFilter {
  const labels = readLabels(options.labelSelector);
  const fields = readFields(options.fieldSelector, resource);
  const shard = shardOfRequest(server, options);
  return {
    all: labels.length === 0 && fields.length === 0 && shard === undefined,
    shard: shard?.text,
    matches: (object) =>
      (shard === undefined || shard.matches(object)) &&
      matchesLabels(labels, object.metadata.labels) &&
      (fields.length === 0 || matchesFields(seenObject(object, resource), fields, resource)),
  };
}

function matchesFields(
  object: ApiObject,
  fields: readonly FieldRequirement[],
  { groupResource }: ServedResource,
): boolean {
  return fields.every(({ field, operator, value }) => {
    const actual = fieldValue(object, field, groupResource);
    return operator === "=" ? actual === value : actual !== value;
  });
}

/** Returns the object in the version whose fields are selected; the stored version if the conversion is still pending. */
function seenObject(object: ApiObject, resource: ServedResource): ApiObject {
  try {
    return asVersion(object, resource);
  } catch (error) {
    if (error instanceof PendingConversion) {
      return object;
    }
    throw error;
  }
}

const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const keyRule =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

function readLabels(selector: string): LabelRequirement[] {
  try {
    return parseLabelSelector(selector);
  } catch (error) {
    throw badRequest(`unable to parse requirement: ${whyUnreadable(selector, error)}`);
  }
}

function whyUnreadable(selector: string, error: unknown): string {
  if (/={3}/.test(selector)) {
    return "found '=', expected: identifier";
  }
  const message = error instanceof KubeError ? error.rawMessage : String(error);
  const value = /"([^"]*)" is not a valid label value/.exec(message);
  if (value) {
    const key = selector.split(/\s*[!=<>]|\s+(?:in|notin)\b/)[0]?.trim() ?? "";
    return `values[0][${key}]: Invalid value: ${JSON.stringify(value[1])}: ${valueRule}`;
  }
  const words = /^\s*\S+\s+(\S+)/.exec(selector);
  if (words && words[1] !== "in" && words[1] !== "notin") {
    return `found '${words[1]}', expected: in, notin, =, ==, !=, gt, lt`;
  }
  const opened = /^\s*\S+\s+(?:in|notin)\s+([^\s(]+)/.exec(selector);
  if (opened) {
    return `found '${opened[1]}' expected: '('`;
  }
  const key = /"([^"]*)" is not a valid label key/.exec(message);
  return key ? `<nil>: Invalid value: ${JSON.stringify(key[1])}: ${keyRule}` : message;
}

/** Field selectors in addition to name and namespace (the `AddFieldLabelConversionFunc` of each kind). */
const moreFields: Readonly<Record<string, readonly string[]>> = {
  pods: [
    "spec.host",
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.podIPs",
    "status.nominatedNodeName",
  ],
  "events.events.k8s.io": [
    "regarding.kind",
    "regarding.namespace",
    "regarding.name",
    "regarding.uid",
    "regarding.apiVersion",
    "regarding.resourceVersion",
    "regarding.fieldPath",
    "reason",
    "reportingController",
    "type",
  ],
  "resourceslices.resource.k8s.io": ["spec.nodeName", "spec.driver"],
  nodes: ["spec.unschedulable"],
  namespaces: ["status.phase"],
  secrets: ["type"],
  services: ["spec.clusterIP", "spec.type"],
  replicationcontrollers: ["status.replicas"],
  "jobs.batch": ["status.successful"],
  "certificatesigningrequests.certificates.k8s.io": ["spec.signerName"],
  events: [
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "source",
    "type",
  ],
};

/** Kinds that don't support `metadata.namespace` as a field selector. */
const homeless = new Set(["namespaces", "nodes", "resourceslices.resource.k8s.io"]);

function readFields(selector: string, resource: ServedResource): FieldRequirement[] {
  const requirements = readFieldSelector(selector);
  const more = moreFields[resource.groupResource];
  const known = [
    "metadata.name",
    ...(homeless.has(resource.storage) ? [] : ["metadata.namespace"]),
    ...(more ?? []),
    ...(resource.defined?.selectableFields ?? []),
  ];
  const unknown = requirements.find(({ field }) => !known.includes(field));
  if (unknown !== undefined) {
    throw badRequest(unknownFieldText(resource, unknown.field, more !== undefined));
  }
  return requirements;
}

/** Returns the error message for an unsupported field, which depends on the kind. */
function unknownFieldText(
  { storage, kind, rules, descriptor }: ServedResource,
  field: string,
  hasMore: boolean,
): string {
  switch (storage) {
    case "jobs.batch":
      return `field label ${JSON.stringify(field)} not supported for ${kind}`;
    case "resourceslices.resource.k8s.io":
      return `field label not supported for ${descriptor.apiVersion}, Kind=${kind}: ${field}`;
    default:
      return hasMore || rules.custom
        ? `field label not supported: ${field}`
        : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
  }
}

function fieldValue(object: ApiObject, field: string, groupResource: string): string {
  if (groupResource === "pods" && field === "status.podIPs") {
    const first = getPath(object, "status", "podIPs");
    const ip = Array.isArray(first) && isJsonObject(first[0]) ? first[0]["ip"] : undefined;
    return textOf(ip);
  }
  // Name of the field before v1.
  if (groupResource === "pods" && field === "spec.host") {
    return textOf(getPath(object, "spec", "nodeName"));
  }
  if (groupResource === "events" && field === "source") {
    return textOf(getPath(object, "source", "component") ?? object["reportingComponent"]);
  }
  const value = getPath(object, ...field.split("."));
  if (value === undefined) {
    // Booleans and counters have a value even when the object omits them.
    const zero: Readonly<Record<string, string>> = {
      "spec.unschedulable": "false",
      "spec.hostNetwork": "false",
      "status.replicas": "0",
      "status.successful": "0",
    };
    return zero[field] ?? "";
  }
  return textOf(value);
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
