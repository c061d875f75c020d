import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import {
  bytesOf,
  double,
  extensions,
  flag,
  integer,
  listOf,
  message,
  named,
  objectOf,
  type Parts,
  text,
  texts,
  truth,
  yaml,
} from "./proto-parts.js";

/**
 * Encodes an OpenAPI v3 document in protobuf, which client-go may request: messages of gnostic's `openapi.v3` package,
 * with the field numbers of its `OpenAPIv3.proto`.
 */
export function documentProtobuf({ openapi, info, paths, components }: JsonObject): Uint8Array {
  const { title, version } = objectOf(info);
  const { schemas, securitySchemes } = objectOf(components);
  return bytesOf([
    ...text(1, openapi),
    ...message(2, text(1, title), text(6, version)),
    ...message(4, ...named(paths, 1, pathItem)),
    ...(components === undefined
      ? []
      : message(
          5,
          schemas === undefined ? [] : message(1, ...named(schemas, 1, schemaOrReference)),
          securitySchemes === undefined
            ? []
            : message(7, ...named(securitySchemes, 1, securityScheme)),
        )),
  ]);
}

const methods = { get: 4, put: 5, post: 6, delete: 7, options: 8, head: 9, patch: 10 } as const;

function pathItem(item: JsonObject): Parts {
  return [
    ...Object.entries(methods).flatMap(([method, field]) =>
      isJsonObject(item[method]) ? message(field, operation(item[method])) : [],
    ),
    ...listOf(item["parameters"]).flatMap((one) => message(13, parameter(one))),
    ...extensions(14, item),
  ];
}

function operation(one: JsonObject): Parts {
  const { requestBody } = one;
  return [
    ...texts(1, one["tags"]),
    ...text(3, one["description"]),
    ...text(5, one["operationId"]),
    ...listOf(one["parameters"]).flatMap((each) => message(6, parameter(each))),
    ...(isJsonObject(requestBody) ? message(7, message(1, body(requestBody))) : []),
    ...message(8, ...named(one["responses"], 2, response)),
    ...extensions(13, one),
  ];
}

function parameter(one: JsonObject): Parts {
  return message(
    1,
    text(1, one["name"]),
    text(2, one["in"]),
    text(3, one["description"]),
    flag(4, one["required"]),
    isJsonObject(one["schema"]) ? message(10, schemaOrReference(one["schema"])) : [],
  );
}

function body({ description, content, required }: JsonObject): Parts {
  return [...text(1, description), ...message(2, ...contents(content)), ...flag(3, required)];
}

function response({ description, content }: JsonObject): Parts {
  const received = content === undefined ? [] : message(3, ...contents(content));
  return message(1, text(1, description), received);
}

function contents(content: unknown): Parts[] {
  return named(content, 1, ({ schema: one }) =>
    isJsonObject(one) ? message(1, schemaOrReference(one)) : [],
  );
}

function securityScheme({ type, description, name, in: place }: JsonObject): Parts {
  return message(1, text(1, type), text(2, description), text(3, name), text(4, place));
}

function schemaOrReference(one: JsonObject): Parts {
  const { $ref } = one;
  return typeof $ref === "string" ? message(2, text(1, $ref)) : message(1, schema(one));
}

function schema(one: JsonObject): Parts {
  const { items, not, properties } = one;
  const each = (field: number, key: string) =>
    listOf(one[key]).flatMap((part) => message(field, schemaOrReference(part)));
  return [
    ...flag(1, one["nullable"]),
    ...text(9, one["title"]),
    ...double(10, one["multipleOf"]),
    ...double(11, one["maximum"]),
    ...flag(12, one["exclusiveMaximum"]),
    ...double(13, one["minimum"]),
    ...flag(14, one["exclusiveMinimum"]),
    ...integer(15, one["maxLength"]),
    ...integer(16, one["minLength"]),
    ...text(17, one["pattern"]),
    ...integer(18, one["maxItems"]),
    ...integer(19, one["minItems"]),
    ...flag(20, one["uniqueItems"]),
    ...integer(21, one["maxProperties"]),
    ...integer(22, one["minProperties"]),
    ...texts(23, one["required"]),
    ...listOf(one["enum"], true).flatMap((value) => message(24, yaml(value))),
    ...text(25, one["type"]),
    ...each(26, "allOf"),
    ...each(27, "oneOf"),
    ...each(28, "anyOf"),
    ...(isJsonObject(not) ? message(29, schema(not)) : []),
    ...(isJsonObject(items) ? message(30, message(1, schemaOrReference(items))) : []),
    ...(isJsonObject(properties) ? message(31, ...named(properties, 1, schemaOrReference)) : []),
    ...additional(one["additionalProperties"]),
    ...defaultOf(one["default"]),
    ...text(34, one["description"]),
    ...text(35, one["format"]),
    ...extensions(36, one),
  ];
}

function additional(value: unknown): Parts {
  if (isJsonObject(value)) {
    return message(32, message(1, schemaOrReference(value)));
  }
  return typeof value === "boolean" ? message(32, truth(2, value)) : [];
}

/** Encodes a default. Only scalars can be encoded; any other default is written as present but empty. */
function defaultOf(value: unknown): Parts {
  switch (typeof value) {
    case "undefined":
      return [];
    case "number":
      return message(33, double(1, value));
    case "boolean":
      return message(33, truth(2, value));
    case "string":
      return message(33, text(3, value));
    default:
      return message(33);
  }
}
