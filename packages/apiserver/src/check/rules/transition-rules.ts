import { isJsonObject, type JsonObject } from "@typekube/core/internal";
import type { DefinedVersion } from "../../resources/definition.js";

const known = new WeakMap<DefinedVersion, readonly string[]>();

/** Returns the rules of a definition that compare with an old object, as `path: expression`. */
export function transitionRules(defined: DefinedVersion): readonly string[] {
  let rules = known.get(defined);
  if (rules === undefined) {
    const { schema } = defined.source as { readonly schema?: JsonObject };
    rules = [...rulesIn(schema?.["openAPIV3Schema"], "")];
    known.set(defined, rules);
  }
  return rules;
}

function* rulesIn(schema: unknown, path: string): Generator<string> {
  if (!isJsonObject(schema)) {
    return;
  }
  const rules = schema["x-kubernetes-validations"];
  for (const one of Array.isArray(rules) ? rules.filter(isJsonObject) : []) {
    const { rule, optionalOldSelf } = one;
    if (typeof rule === "string" && /\boldSelf\b/.test(rule) && optionalOldSelf !== true) {
      yield `${path === "" ? "." : path}: ${rule.trim()}`;
    }
  }
  const { properties, items, additionalProperties } = schema;
  for (const [name, property] of isJsonObject(properties) ? Object.entries(properties) : []) {
    yield* rulesIn(property, path === "" ? name : `${path}.${name}`);
  }
  yield* rulesIn(items, `${path}[*]`);
  yield* rulesIn(additionalProperties, `${path}.*`);
}
