import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  timestampType,
  uintType,
} from "../../src/values/cel-type.js";

const simple: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ["bool", boolType],
  ["bytes", bytesType],
  ["double", doubleType],
  ["duration", durationType],
  ["dyn", dynType],
  ["int", intType],
  ["null", nullType],
  ["string", stringType],
  ["timestamp", timestampType],
  ["uint", uintType],
]);

/** Reads "int", "list(string)" or "map(string, dyn)". */
export function parsedType(text: string): CelType {
  const known = simple.get(text.trim());
  if (known !== undefined) {
    return known;
  }
  const [, container, inner = ""] = /^(list|map)\((.*)\)$/.exec(text.trim()) ?? [];
  if (container === "list") {
    return listType(parsedType(inner));
  }
  const comma = inner.indexOf(",");
  if (container === "map" && comma > 0) {
    return mapType(parsedType(inner.slice(0, comma)), parsedType(inner.slice(comma + 1)));
  }
  throw new RangeError(`unknown type ${text}`);
}

/** Returns a type as Go prints it. */
export function oracleType(type: CelType): string {
  if (type.kind === "typeParameter") {
    return `<${type.name}>`;
  }
  const { name, parameters } = type;
  return parameters.length === 0 ? name : `${name}(${parameters.map(oracleType).join(", ")})`;
}
