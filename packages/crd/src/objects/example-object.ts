import { KubeError } from "@typekube/core";
import { type JsonObject, setOwn } from "@typekube/core/internal/json";
import type { StructuralSchema } from "@typekube/schema";
import type { CheckedVersion } from "./checked-version.js";
import { simulateWrite } from "./simulate-write.js";

/** Examples of the formats that servers check. */
const formats: Readonly<Record<string, string>> = {
  byte: "",
  cidr: "10.0.0.0/8",
  date: "2024-01-01",
  "date-time": "2024-01-01T00:00:00Z",
  duration: "1h",
  email: "user@example.com",
  hostname: "example.com",
  ipv4: "10.0.0.1",
  ipv6: "2001:db8::1",
  mac: "00:00:5e:00:53:01",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
  uuid4: "00000000-0000-4000-8000-000000000000",
};

/**
 * Returns an object with the required fields of a kind, and defaults.
 *
 * @throws {KubeError} `InvalidArgument` when the found values break a pattern or a rule.
 */
export function exampleObject(version: CheckedVersion): JsonObject {
  const { apiVersion, kind, schema } = version;
  const object = {
    apiVersion,
    kind,
    metadata: { name: "example" },
    ...(exampleOf(schema) as JsonObject),
  };
  const { causes, object: stored } = simulateWrite(version, object);
  if (causes.length > 0) {
    const lines = causes.map(({ field, message }) => `${field}: ${message}`);
    throw new KubeError("InvalidArgument", `no example of ${kind} was found: ${lines.join(", ")}`, {
      hint: 'give the fields an example in meta({ example: "..." }) or a default',
    });
  }
  return stored;
}

function exampleOf(schema: StructuralSchema): unknown {
  const { source, type } = schema;
  const [first] = Array.isArray(source["enum"]) ? (source["enum"] as unknown[]) : [];
  const given = source["example"] ?? schema.default ?? first;
  if (given !== undefined) {
    return given;
  }
  switch (type) {
    case "object":
      return exampleFields(schema);
    case "array":
      return Array.from({ length: Number(source["minItems"] ?? 0) }, () =>
        schema.items === undefined ? null : exampleOf(schema.items),
      );
    case "boolean":
      return false;
    case "integer":
    case "number":
      return exampleNumber(source);
    case "string":
      return formats[String(source["format"])] ?? "a".repeat(Number(source["minLength"] ?? 0));
    default:
      return schema.intOrString ? exampleNumber(source) : {};
  }
}

function exampleFields(schema: StructuralSchema): JsonObject {
  const object: JsonObject = {};
  const [branch] = schema.oneOf;
  for (const [name, property] of schema.properties) {
    const isWanted = schema.required.includes(name) || branch?.required.includes(name) === true;
    if (isWanted && property.default === undefined) {
      const narrowed = branch?.properties.get(name);
      setOwn(object, name, exampleOf(narrowed?.source["enum"] === undefined ? property : narrowed));
    }
  }
  return object;
}

function exampleNumber({ minimum, maximum, exclusiveMinimum, multipleOf }: JsonObject): number {
  const step = Number(multipleOf ?? 1);
  if (minimum !== undefined) {
    const least = Math.ceil(Number(minimum) / step) * step;
    return exclusiveMinimum === true && least <= Number(minimum) ? least + step : least;
  }
  return maximum !== undefined && Number(maximum) < 0
    ? Math.floor(Number(maximum) / step) * step
    : 0;
}
