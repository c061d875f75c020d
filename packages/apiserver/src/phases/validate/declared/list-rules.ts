import { stringifyJson } from "@typekube/core/internal";
import { cause } from "../../../errors/field-errors.js";
import { isJsonObject, type JsonObject, setOwn } from "../../../objects/json-value.js";
import type { SchemaNode } from "../../../schema/schema-node.js";
import type { Identity } from "./change-rules.js";
import { first, type Rule, type RuleMaker, whenSet } from "./rule.js";

/**
 * Creates the rules for whole lists and maps.
 *
 * @param items - schema of the items.
 */
export function listRules(
  identity: Identity,
  items: SchemaNode | undefined,
): Readonly<Record<string, RuleMaker>> {
  const unique: RuleMaker = (what) =>
    what === "set" || what === "map" ? noneTwice(identity, items) : undefined;
  return {
    maxItems: (most) =>
      first(({ path, value }) => {
        const count = Array.isArray(value) ? value.length : 0;
        return count > Number(most) ? [cause.tooMany(path, count, Number(most))] : [];
      }),
    unique,
    listType: unique,
  };
}

function noneTwice(identity: Identity, items: SchemaNode | undefined): Rule {
  return whenSet(({ path, value }) => {
    const seen = new Set<string>();
    return (Array.isArray(value) ? value : []).flatMap((item, at) => {
      const own = identity(item);
      if (!seen.has(own)) {
        seen.add(own);
        return [];
      }
      return [cause.duplicate(`${path}[${at}]`, asGoWrites(item, items))];
    });
  });
}

/** Orders the fields of structs like Go, by their order in the type. */
function asGoWrites(value: unknown, node: SchemaNode | undefined): unknown {
  if (Array.isArray(value)) {
    const items = node?.form === "list" ? node.items : undefined;
    return value.map((item) => asGoWrites(item, items));
  }
  if (!isJsonObject(value) || node?.form !== "struct") {
    return value;
  }
  const ordered: JsonObject = {};
  for (const name of node.fieldNames) {
    if (value[name] !== undefined) {
      setOwn(ordered, name, asGoWrites(value[name], node.field(name)?.node));
    }
  }
  return ordered;
}

/** Returns an identity by key fields, or by the whole item if there are none. */
export function identityBy(keys: readonly string[]): Identity {
  return keys.length === 0
    ? stringifyJson
    : (item) => stringifyJson(keys.map((key) => (isJsonObject(item) ? (item[key] ?? null) : null)));
}
