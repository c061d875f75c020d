import type { StatusCause } from "@typekube/core";
import { cause } from "../errors/status-errors.js";
import { isJsonObject } from "../objects/json-value.js";
import type { StructuralSchema } from "../schema/structural/structural-schema.js";

/** Returns the errors in the `x-kubernetes-...` extensions of one schema: list and map types, and CEL rules. */
export function validateListType(schema: StructuralSchema, path: string): StatusCause[] {
  const { source } = schema;
  const preserve = source["x-kubernetes-preserve-unknown-fields"];
  return [
    ...(preserve === false
      ? [
          cause.invalid(
            `${path}.x-kubernetes-preserve-unknown-fields`,
            false,
            "must be true or undefined",
          ),
        ]
      : []),
    ...validateMapType(schema, path),
    ...validateOwnListType(schema, path),
    ...validateKey(schema, path),
    ...validateItem(schema, path),
    ...validateRule(source["x-kubernetes-validations"], `${path}.x-kubernetes-validations`),
  ];
}

function validateMapType({ type, mapType }: StructuralSchema, path: string): StatusCause[] {
  if (mapType === undefined) {
    return [];
  }
  return [
    ...wrongType(type, "object", "x-kubernetes-map-type", path),
    ...(["atomic", "granular"].includes(mapType)
      ? []
      : [cause.notSupported(`${path}.x-kubernetes-map-type`, mapType, ["atomic", "granular"])]),
  ];
}

function wrongType(type: string, wanted: string, marker: string, path: string): StatusCause[] {
  const why = `must be ${wanted} if ${marker} is specified`;
  const at = `${path}.type`;
  return type === wanted
    ? []
    : [type === "" ? cause.required(at, why) : cause.invalid(at, type, why)];
}

function validateOwnListType(schema: StructuralSchema, path: string): StatusCause[] {
  const { type, listType, items } = schema;
  if (listType === undefined) {
    return [];
  }
  const causes = wrongType(type, "array", "x-kubernetes-list-type", path);
  if (causes.length === 0 && listType === "set" && items !== undefined) {
    const why = "must be atomic as item of a list with x-kubernetes-list-type=set";
    if (items.type === "array" && (items.listType ?? "atomic") !== "atomic") {
      causes.push(cause.invalid(`${path}.items.x-kubernetes-list-type`, items.listType, why));
    }
    if (items.type === "object" && items.mapType !== "atomic") {
      // Real servers show the list type of the items here.
      const shown = items.listType ?? null;
      causes.push(cause.invalid(`${path}.items.x-kubernetes-map-type`, shown, why));
    }
  }
  if (!["atomic", "set", "map"].includes(listType)) {
    const known = ["atomic", "set", "map"];
    causes.push(cause.notSupported(`${path}.x-kubernetes-list-type`, listType, known));
  }
  return causes;
}

function validateKey(schema: StructuralSchema, path: string): StatusCause[] {
  const { listType, listMapKeys, items } = schema;
  const causes: StatusCause[] = [];
  const typeAt = `${path}.x-kubernetes-list-type`;
  const keysAt = `${path}.x-kubernetes-list-map-keys`;
  if (listMapKeys.length > 0 && listType !== "map") {
    const why = "must be map if x-kubernetes-list-map-keys is non-empty";
    causes.push(
      listType === undefined ? cause.required(typeAt, why) : cause.invalid(typeAt, listType, why),
    );
  }
  if (listType !== "map") {
    return causes;
  }
  if (listMapKeys.length === 0) {
    causes.push(cause.required(keysAt, "must not be empty if x-kubernetes-list-type is map"));
  }
  if (items === undefined) {
    const why = "must have a schema if x-kubernetes-list-type is map";
    return [...causes, cause.required(`${path}.items`, why)];
  }
  if (items.type !== "object") {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    return [...causes, cause.invalid(`${path}.items.type`, items.type, why)];
  }
  for (const [at, key] of listMapKeys.entries()) {
    const property = items.properties.get(key);
    if (property === undefined) {
      causes.push(
        cause.invalid(keysAt, listMapKeys, "entries must all be names of item properties"),
      );
    } else if (property.type === "array" || property.type === "object") {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      causes.push(cause.invalid(`${path}.items.properties[${key}].type`, items.type, why));
    }
    if (listMapKeys.indexOf(key) < at) {
      causes.push(cause.invalid(keysAt, listMapKeys, "must not contain duplicate entries"));
    }
  }
  return causes;
}

function validateItem(
  { listType, listMapKeys, items }: StructuralSchema,
  path: string,
): StatusCause[] {
  if (items === undefined || (listType !== "set" && listType !== "map")) {
    return [];
  }
  const causes: StatusCause[] = [];
  if (items.nullable) {
    const why = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    causes.push(cause.forbidden(`${path}.items.nullable`, why));
  }
  for (const key of listType === "map" ? listMapKeys : []) {
    const property = items.properties.get(key);
    const at = `${path}.items.properties[${key}]`;
    const why = "this property is in x-kubernetes-list-map-keys, so it";
    if (property !== undefined && !items.required.includes(key) && property.default === undefined) {
      causes.push(
        cause.required(`${at}.default`, `${why} must have a default or be a required property`),
      );
    }
    if (property?.nullable) {
      causes.push(cause.forbidden(`${at}.nullable`, `${why} cannot be nullable`));
    }
  }
  return causes;
}

/** Returns the errors in CEL rules that can be detected without evaluating them. */
function validateRule(rules: unknown, path: string): StatusCause[] {
  return (Array.isArray(rules) ? rules : []).flatMap((rule: unknown, at) => {
    const { rule: text, message } = isJsonObject(rule) ? rule : {};
    const trimmed = String(text ?? "").trim();
    if (trimmed === "") {
      return [cause.required(`${path}[${at}].rule`, "rule is not specified")];
    }
    if (typeof message === "string" && message.trim() === "" && message !== "") {
      return [cause.invalid(`${path}[${at}].message`, message, "must be non-empty if specified")];
    }
    if (/[\n\r]/.test(String(message ?? "").trim())) {
      return [cause.invalid(`${path}[${at}].message`, message, "must not contain line breaks")];
    }
    return /[\n\r]/.test(trimmed) && String(message ?? "") === ""
      ? [
          cause.required(
            `${path}[${at}].message`,
            "message must be specified if rule contains line breaks",
          ),
        ]
      : [];
  });
}
