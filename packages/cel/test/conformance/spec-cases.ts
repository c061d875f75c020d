import { type Json, json, specType, specValue } from "./spec-value.js";

/** One case of cel-spec. */
export interface SpecCase {
  /** Names of the suites and of the case. */
  readonly path: string;
  readonly expression: string;
  readonly container: string;
  readonly typeEnv: readonly Json[];
  readonly bindings: Json;
  readonly unchecked: boolean;
  readonly checkOnly: boolean;
  /** True if an error is expected. */
  readonly fails: boolean;
  readonly value: Json | undefined;
  readonly type: Json | undefined;
}

/** Sections whose functions and values Kubernetes does not have: extensions that it does not load, and protobuf. */
const otherSections: ReadonlySet<string> = new Set([
  "bindings_ext",
  "block_ext",
  "encoders_ext",
  "enums",
  "math_ext",
  "proto2",
  "proto2_ext",
  "proto3",
  "wrappers",
]);

/** Returns the cases of the top suites. */
export function suites(
  root: unknown,
): readonly { readonly name: string; readonly cases: readonly SpecCase[] }[] {
  return list(json(root)["suites"]).map((suite) => {
    const name = String(suite["name"]);
    return { name, cases: [...casesOf(suite, name)] };
  });
}

function* casesOf(suite: Json, path: string): IterableIterator<SpecCase> {
  for (const entry of list(suite["tests"])) {
    yield specCase(json(entry["original"]), path);
  }
  for (const inner of list(suite["suites"])) {
    yield* casesOf(inner, `${path}/${String(inner["name"])}`);
  }
}

function specCase(original: Json, path: string): SpecCase {
  const typed = json(original["typedResult"]);
  const value = original["value"] ?? typed["result"];
  const type = typed["deducedType"];
  return {
    path: `${path}/${String(original["name"] ?? "")}`,
    expression: String(original["expr"]),
    container: String(original["container"] ?? ""),
    typeEnv: list(original["typeEnv"]),
    bindings: json(original["bindings"]),
    unchecked: original["disableCheck"] === true,
    checkOnly: original["checkOnly"] === true,
    fails: original["evalError"] !== undefined,
    value: value === undefined ? undefined : json(value),
    type: type === undefined ? undefined : json(type),
  };
}

/** Returns true if Kubernetes has what a case needs: no message, enum or extension of protobuf. */
export function isCovered(spec: SpecCase): boolean {
  const { path, expression, typeEnv, bindings, value, type } = spec;
  const [section = ""] = path.split("/");
  return (
    !otherSections.has(section) &&
    spec.container !== "google.protobuf" &&
    !/TestAllTypes|NestedTestAllTypes|GlobalEnum|google\.protobuf\.(?!Duration\b(?!\{)|Timestamp\b(?!\{))/.test(
      expression,
    ) &&
    !/Wrapper|wrapper/.test(JSON.stringify([typeEnv, value ?? null, type ?? null])) &&
    typeEnv.every(isDeclarable) &&
    Object.values(bindings).every(
      (binding) => specValue(json(json(binding)["value"])) !== undefined,
    ) &&
    (value === undefined || specValue(value) !== undefined) &&
    (type === undefined || specType(type) !== undefined)
  );
}

function isDeclarable(declaration: Json): boolean {
  const ident = json(declaration["ident"])["type"];
  return ident === undefined || specType(json(ident)) !== undefined;
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(json) : [];
}

/** Returns the distinct expressions of a suite that needs no declarations, whatever they use. */
export function specExpressions(root: unknown): readonly string[] {
  const expressions = new Set<string>();
  const collect = (suite: Json): void => {
    for (const entry of list(suite["tests"])) {
      const { expression, typeEnv, bindings } = specCase(json(entry["original"]), "");
      if (typeEnv.length === 0 && Object.keys(bindings).length === 0) {
        expressions.add(expression);
      }
    }
    for (const inner of list(suite["suites"])) {
      collect(inner);
    }
  };
  collect(json(root));
  return [...expressions];
}
