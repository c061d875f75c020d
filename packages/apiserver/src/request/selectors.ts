import {
  type FieldRequirement,
  KubeError,
  type LabelRequirement,
  matchesLabels,
  parseLabelSelector,
} from "@typekube/core";
import { badRequest } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import { getPath } from "../objects/json-value.js";
import type { FeatureGates } from "../resources/feature-gates.js";
import type { FieldSelectors } from "../resources/kind-strategy.js";
import type { ServedResource } from "../resources/served-resource.js";
import { asVersion } from "../resources/versions/object-versions.js";
import { PendingCall } from "../time/pending-call.js";
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
  server: { readonly gates: FeatureGates },
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
  { strategy }: ServedResource,
): boolean {
  return fields.every(({ field, operator, value }) => {
    const actual = fieldValue(object, field, strategy.fieldSelectors);
    return operator === "=" ? actual === value : actual !== value;
  });
}

/** Returns the object in the version whose fields are selected; the stored version if the conversion is still pending. */
function seenObject(object: ApiObject, resource: ServedResource): ApiObject {
  try {
    return asVersion(object, resource);
  } catch (error) {
    if (error instanceof PendingCall) {
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

function readFields(selector: string, resource: ServedResource): FieldRequirement[] {
  const requirements = readFieldSelector(selector);
  const { fieldSelectors } = resource.strategy;
  const known = [
    "metadata.name",
    ...(fieldSelectors?.namespaced === false ? [] : ["metadata.namespace"]),
    ...(fieldSelectors?.paths ?? []),
    ...(resource.defined?.selectableFields ?? []),
  ];
  const unknown = requirements.find(({ field }) => !known.includes(field));
  if (unknown !== undefined) {
    throw badRequest(unknownFieldText(resource, unknown.field));
  }
  return requirements;
}

/** Returns the error message for an unsupported field, which depends on the kind. */
function unknownFieldText({ strategy, rules, descriptor }: ServedResource, field: string): string {
  const { fieldSelectors } = strategy;
  const own = fieldSelectors?.unknownField?.(field, descriptor.apiVersion);
  if (own !== undefined) {
    return own;
  }
  return fieldSelectors !== undefined || rules.custom
    ? `field label not supported: ${field}`
    : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function fieldValue(object: ApiObject, field: string, selectors?: FieldSelectors): string {
  const value = selectors?.read?.(object, field) ?? getPath(object, ...field.split("."));
  return textOf(value ?? selectors?.zeros?.[field]);
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
