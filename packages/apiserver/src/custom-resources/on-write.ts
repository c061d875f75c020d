import type { StatusCause } from "@typekube/core";
import type { ServerContext } from "../context/server-context.js";
import { forbidden } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import { isJsonObject, type JsonObject } from "../objects/json-value.js";
import { definitionStorage, versionsOf } from "../resources/definition.js";
import type { ServedResource } from "../resources/served-resource.js";
import { fillDefaults } from "../schema/structural/fill-defaults.js";
import { celRules, definitionWarnings } from "./definition-warnings.js";
import { validateCustomObject } from "./validate-custom.js";
import { validateDefinition } from "./validate-definition.js";

/** Fills in the defaults of a definition or a custom resource. */
export function withCustomDefaults(resource: ServedResource, object: ApiObject): ApiObject {
  if (resource.storage === definitionStorage) {
    return withDefinitionDefaults(object);
  }
  return fillDefaults(object, resource.defined?.schema);
}

function withDefinitionDefaults(object: ApiObject): ApiObject {
  const spec = isJsonObject(object["spec"]) ? object["spec"] : {};
  const names = isJsonObject(spec["names"]) ? spec["names"] : {};
  const kind = typeof names["kind"] === "string" ? names["kind"] : "";
  const filled: JsonObject = { ...names };
  if (kind !== "") {
    filled["singular"] ||= kind.toLowerCase();
    filled["listKind"] ||= `${kind}List`;
  }
  return {
    ...object,
    spec: { ...spec, names: filled, conversion: spec["conversion"] ?? { strategy: "None" } },
  };
}

/** Adds the storage version of a definition to its `status.storedVersions`. */
export function withStoredVersions({ storage }: ServedResource, object: ApiObject): ApiObject {
  if (storage !== definitionStorage) {
    return object;
  }
  const status = isJsonObject(object["status"]) ? object["status"] : {};
  const before = Array.isArray(status["storedVersions"]) ? status["storedVersions"] : [];
  const name = versionsOf(object).find((version) => version["storage"] === true)?.["name"];
  return name === undefined || before.includes(name)
    ? object
    : { ...object, status: { ...status, storedVersions: [...before, name] } };
}

/** Returns the field errors of a definition or a custom resource. */
export function validateCustomResource(
  server: ServerContext,
  resource: ServedResource,
  {
    object,
    before,
    subresource,
  }: {
    readonly object: ApiObject;
    readonly before?: ApiObject | undefined;
    readonly subresource: string;
  },
): StatusCause[] {
  if (resource.defined !== undefined) {
    return validateCustomObject(resource.defined, { object, before, subresource });
  }
  return resource.storage === definitionStorage && subresource === ""
    ? [
        ...validateDefinition(object, before),
        ...(server.enforceCel ? celRules(object).map(celCause) : []),
      ]
    : [];
}

function celCause(field: string): StatusCause {
  return {
    reason: "FieldValueForbidden",
    message: "Forbidden: the embedded server does not evaluate x-kubernetes-validations",
    field,
  };
}

/** Returns the warnings for a write of a definition or a custom resource. */
export function customWarnings(
  { enforceCel }: ServerContext,
  { storage, defined }: ServedResource,
  object: ApiObject,
  before: ApiObject | undefined,
): string[] {
  if (storage === definitionStorage) {
    return definitionWarnings(object, before, enforceCel);
  }
  return defined === undefined
    ? []
    : finalizerWarnings(object.metadata.finalizers ?? [], before?.metadata.finalizers ?? []);
}

const standardFinalizers: ReadonlySet<string> = new Set([
  "foregroundDeletion",
  "kubernetes",
  "orphan",
]);

function finalizerWarnings(now: readonly string[], before: readonly string[]): string[] {
  return [...now]
    .filter(
      (name) => !before.includes(name) && !name.includes("/") && !standardFinalizers.has(name),
    )
    .sort()
    .map((name) => {
      const path = name.includes(".") ? " including a path (/)" : "";
      return `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
    });
}

/** Rejects creating objects of a definition that is being deleted. */
export function assertNotTerminating(
  { defined, group, plural }: ServedResource,
  name: string,
): void {
  if (defined?.definition.terminating) {
    const why = "create not allowed while custom resource definition is terminating";
    throw forbidden({ group, plural }, name, why);
  }
}
