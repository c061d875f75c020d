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
  yaml,
} from "./proto-parts.js";

/**
 * Encodes an OpenAPI v2 document in protobuf for kubectl and client-go: messages of gnostic's `openapi.v2` package,
 * with the field numbers of its `OpenAPIv2.proto`.
 */
export function swaggerProtobuf(document: JsonObject): Uint8Array {
  const { swagger, info, paths, definitions, security, securityDefinitions } = document;
  const { title, version } = objectOf(info);
  return bytesOf([
    ...text(1, swagger),
    ...message(2, text(1, title), text(2, version)),
    ...message(8, ...named(paths, 2, pathItem)),
    ...message(9, ...named(definitions, 1, schema)),
    ...listOf(security).flatMap((one) =>
      message(12, ...named(one, 1, (_, scopes) => texts(1, scopes))),
    ),
    ...message(
      13,
      ...named(securityDefinitions, 1, ({ type, name, in: place }) =>
        message(2, text(1, type), text(2, name), text(3, place)),
      ),
    ),
  ]);
}

const methods = { get: 2, put: 3, post: 4, delete: 5, patch: 8 } as const;

function pathItem(item: JsonObject): Parts {
  const operations = Object.entries(methods).flatMap(([method, field]) =>
    isJsonObject(item[method]) ? message(field, operation(item[method])) : [],
  );
  return [
    ...operations,
    ...listOf(item["parameters"]).flatMap((one) => message(9, parameter(one))),
  ];
}

function operation(one: JsonObject): Parts {
  return [
    ...texts(1, one["tags"]),
    ...text(5, one["operationId"]),
    ...texts(6, one["produces"]),
    ...texts(7, one["consumes"]),
    ...listOf(one["parameters"]).flatMap((each) => message(8, parameter(each))),
    ...message(9, ...named(one["responses"], 1, (reply) => message(1, response(reply)))),
    ...texts(10, one["schemes"]),
    ...extensions(13, one),
  ];
}

function response({ description, schema: body }: JsonObject): Parts {
  const written = isJsonObject(body) ? message(2, message(1, schema(body))) : [];
  return [...text(1, description), ...written];
}

function parameter({
  name,
  in: place,
  required,
  type,
  uniqueItems,
  schema: body,
}: JsonObject): Parts {
  if (place === "body") {
    const own = [...text(2, name), ...text(3, place), ...flag(4, required)];
    return message(1, message(1, own, message(5, schema(objectOf(body)))));
  }
  const isQuery = place === "query";
  const own = [
    ...flag(1, required),
    ...text(2, place),
    ...text(4, name),
    ...text(isQuery ? 6 : 5, type),
    ...flag(isQuery ? 20 : 19, uniqueItems),
  ];
  return message(1, message(2, message(isQuery ? 3 : 4, own)));
}

function schema(one: JsonObject): Parts {
  const { $ref, type, items, properties, additionalProperties } = one;
  return [
    ...text(1, $ref),
    ...text(2, one["format"]),
    ...text(3, one["title"]),
    ...text(4, one["description"]),
    ...double(7, one["maximum"]),
    ...flag(8, one["exclusiveMaximum"]),
    ...double(9, one["minimum"]),
    ...flag(10, one["exclusiveMinimum"]),
    ...integer(11, one["maxLength"]),
    ...integer(12, one["minLength"]),
    ...text(13, one["pattern"]),
    ...integer(14, one["maxItems"]),
    ...integer(15, one["minItems"]),
    ...texts(19, one["required"]),
    ...listOf(one["enum"], true).flatMap((value) => message(20, yaml(value))),
    ...(isJsonObject(additionalProperties)
      ? message(21, message(1, schema(additionalProperties)))
      : flag(21, additionalProperties).length > 0
        ? message(21, flag(2, true))
        : []),
    ...(typeof type === "string" ? message(22, text(1, type)) : []),
    ...(isJsonObject(items) ? message(23, message(1, schema(items))) : []),
    ...(isJsonObject(properties) ? message(25, ...named(properties, 1, schema)) : []),
    ...extensions(31, one),
  ];
}
