import { CelDouble } from "../../src/values/cel-double.js";
import { CelFailure } from "../../src/values/cel-failure.js";
import { normalInt } from "../../src/values/cel-int.js";
import { ArrayList } from "../../src/values/cel-list.js";
import { EntryMap } from "../../src/values/cel-map.js";
import {
  boolType,
  bytesType,
  CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  stringType,
  timestampType,
  typeOfType,
  typeType,
  uintType,
} from "../../src/values/cel-type.js";
import { CelUint } from "../../src/values/cel-uint.js";
import type { CelValue } from "../../src/values/cel-value.js";
import { readDuration, readTimestamp } from "../../src/values/read-time.js";

/** A JSON object of cel-spec's test data. */
export type Json = Readonly<Record<string, unknown>>;

/** Returns a part of the test data as an object; an empty one if it is something else. */
export function json(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function array(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Converts a value of the test data; `undefined` for messages of protobuf, which Kubernetes does not have. */
export function specValue(data: Json): CelValue | undefined {
  const [[kind, content] = ["", undefined]] = Object.entries(data);
  switch (kind) {
    case "nullValue":
      return null;
    case "boolValue":
      return content === true;
    case "stringValue":
      return String(content);
    case "int64Value":
      return normalInt(BigInt(String(content)));
    case "uint64Value":
      return new CelUint(normalInt(BigInt(String(content))));
    case "doubleValue":
      return new CelDouble(Number(content));
    case "bytesValue":
      return new Uint8Array(Buffer.from(String(content), "base64"));
    case "typeValue":
      return new CelType("type", String(content));
    case "listValue":
      return specList(json(content));
    case "mapValue":
      return specMap(json(content));
    case "objectValue":
      return specObject(json(content));
    default:
      return undefined;
  }
}

function specList(data: Json): CelValue | undefined {
  const values = array(data["values"]).map((value) => specValue(json(value)));
  return values.every((value) => value !== undefined) ? new ArrayList(values) : undefined;
}

function specMap(data: Json): CelValue | undefined {
  const entries = array(data["entries"]).map((entry): [CelValue, CelValue] | undefined => {
    const key = specValue(json(json(entry)["key"]));
    const value = specValue(json(json(entry)["value"]));
    return key === undefined || value === undefined ? undefined : [key, value];
  });
  return entries.every((entry) => entry !== undefined) ? new EntryMap(entries) : undefined;
}

function specObject(data: Json): CelValue | undefined {
  const value = String(data["value"]);
  switch (data["@type"]) {
    case "type.googleapis.com/google.protobuf.Timestamp": {
      const time = readTimestamp(value);
      return time instanceof CelFailure ? undefined : time;
    }
    case "type.googleapis.com/google.protobuf.Duration":
      return readDuration(value);
    default:
      return undefined;
  }
}

const primitives: ReadonlyMap<unknown, CelType> = new Map<unknown, CelType>([
  ["BOOL", boolType],
  ["INT64", intType],
  ["UINT64", uintType],
  ["DOUBLE", doubleType],
  ["STRING", stringType],
  ["BYTES", bytesType],
]);

/** Converts a type of the test data; `undefined` for messages of protobuf. */
export function specType(data: Json): CelType | undefined {
  const [[kind, content] = ["", undefined]] = Object.entries(data);
  const parts = json(content);
  switch (kind) {
    case "primitive":
      return primitives.get(content);
    case "dyn":
      return dynType;
    case "null":
      return nullType;
    case "wellKnown":
      return content === "TIMESTAMP"
        ? timestampType
        : content === "DURATION"
          ? durationType
          : undefined;
    case "listType": {
      const element = specType(json(parts["elemType"]));
      return element === undefined ? undefined : listType(element);
    }
    case "mapType": {
      const [key, value] = [specType(json(parts["keyType"])), specType(json(parts["valueType"]))];
      return key === undefined || value === undefined ? undefined : mapType(key, value);
    }
    case "type": {
      const described = specType(parts);
      return described === undefined ? typeType : typeOfType(described);
    }
    case "typeParam":
      return new CelType("typeParameter", String(content));
    case "abstractType": {
      const parameters = array(parts["parameterTypes"]).map((type) => specType(json(type)));
      return parameters.every((type) => type !== undefined)
        ? opaqueType(String(parts["name"]), ...parameters)
        : undefined;
    }
    default:
      return undefined;
  }
}
