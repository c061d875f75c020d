import type { CelDouble } from "./cel-double.js";
import type { CelDuration } from "./cel-duration.js";
import type { CelInt } from "./cel-int.js";
import type { CelList } from "./cel-list.js";
import type { CelMap } from "./cel-map.js";
import type { CelOptional } from "./cel-optional.js";
import type { CelTimestamp } from "./cel-timestamp.js";
import type { CelUint } from "./cel-uint.js";
import type { CelValue } from "./cel-value.js";

/** The kinds of types. `error` marks an expression whose type could not be determined. */
export type CelKind =
  | "bool"
  | "bytes"
  | "double"
  | "duration"
  | "dyn"
  | "error"
  | "int"
  | "list"
  | "map"
  | "null"
  | "opaque"
  | "string"
  | "struct"
  | "timestamp"
  | "type"
  | "typeParameter"
  | "uint";

const noParameters: readonly CelType[] = [];

/**
 * A type of the language. Types are values, too: `type(x) == int`.
 *
 * @typeParam T - The JavaScript type of the values, for functions that are declared in TypeScript.
 */
export class CelType<out T = unknown> {
  /** Exists at compile time only. */
  declare protected readonly valueType: T;
  readonly kind: CelKind;
  /** The name that `type(x)` shows, for example "int", "list" or "net.IP". */
  readonly name: string;
  /** Types of the elements, of the key and the value, or of an opaque type's parameters. */
  readonly parameters: readonly CelType[];

  constructor(kind: CelKind, name: string, parameters: readonly CelType[] = noParameters) {
    this.kind = kind;
    this.name = name;
    this.parameters = parameters;
  }

  /** Returns the type as error messages show it, for example "map(string, list(int))". */
  toString(): string {
    if (this.parameters.length === 0) {
      return this.kind === "null" ? "null" : this.displayName();
    }
    return `${this.displayName()}(${this.parameters.join(", ")})`;
  }

  private displayName(): string {
    switch (this.kind) {
      case "duration":
      case "timestamp":
        return this.kind;
      case "error":
        return "!error!";
      default:
        return this.name;
    }
  }
}

export const boolType: CelType<boolean> = new CelType("bool", "bool");
export const bytesType: CelType<Uint8Array> = new CelType("bytes", "bytes");
export const doubleType: CelType<CelDouble> = new CelType("double", "double");
export const durationType: CelType<CelDuration> = new CelType(
  "duration",
  "google.protobuf.Duration",
);
/** The type of values that are known at run time only. */
export const dynType: CelType<CelValue> = new CelType("dyn", "dyn");
export const errorType: CelType<never> = new CelType("error", "error");
export const intType: CelType<CelInt> = new CelType("int", "int");
export const nullType: CelType<null> = new CelType("null", "null_type");
export const stringType: CelType<string> = new CelType("string", "string");
export const timestampType: CelType<CelTimestamp> = new CelType(
  "timestamp",
  "google.protobuf.Timestamp",
);
export const typeType: CelType<CelType> = new CelType("type", "type");
export const uintType: CelType<CelUint> = new CelType("uint", "uint");

/** Returns the type of lists whose elements have a type. */
export function listType(element: CelType): CelType<CelList> {
  return new CelType("list", "list", [element]);
}

/** Returns the type of maps whose keys and values have a type. */
export function mapType(key: CelType, value: CelType): CelType<CelMap> {
  return new CelType("map", "map", [key, value]);
}

/** Returns the type of `optional.of(x)`, where x has the given type. */
export function optionalType(value: CelType): CelType<CelOptional> {
  return new CelType("opaque", "optional_type", [value]);
}

/** Returns a type whose values only its own functions understand, for example "net.IP". */
export function opaqueType<T>(name: string, ...parameters: CelType[]): CelType<T> {
  return new CelType("opaque", name, parameters);
}

/** Returns a type with fields; the type provider of the environment knows them by this name. */
export function structType<T>(name: string): CelType<T> {
  return new CelType("struct", name);
}

/** Returns the type of `type(x)`, where x has the given type. */
export function typeOfType(described: CelType): CelType<CelType> {
  return new CelType("type", "type", [described]);
}

/** Returns a type variable of a declaration, for example the T of `list(T)`. */
export function typeParameter(name: string): CelType<CelValue> {
  return new CelType("typeParameter", name);
}

/** Returns true if both types have the same kind, name and parameters. */
export function isSameType(a: CelType, b: CelType): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.name === b.name &&
      a.parameters.length === b.parameters.length &&
      a.parameters.every((parameter, index) => {
        const other = b.parameters[index];
        return other !== undefined && isSameType(parameter, other);
      }))
  );
}
