import { hasRules } from "../rules/has-rules.js";
import { rulesOf } from "../rules/validation-rule.js";
import type { StructuralSchema } from "../structural/structural-schema.js";
import { multiplyCosts } from "./cost-limits.js";
import { fieldPath, growthOf, type SizedNode, sizedNode } from "./sized-node.js";

/** A place of a schema that can have rules. */
export interface RulePlace {
  readonly schema: StructuralSchema;
  /** Path of the schema in the definition, for example `schema.openAPIV3Schema.properties[spec]`. */
  readonly path: string;
  /** Path of the values in an object, for example `spec.rules[*]`; empty for the object itself. */
  readonly valuePath: string;
  readonly isRoot: boolean;
  /** Number of values that the place has at most; `undefined` if a list or map around it has no bound. */
  readonly cardinality: bigint | undefined;
  /** The lists and maps around the place, the outermost one first. */
  readonly around: readonly SizedNode[];
  /** Path of the list or map around the place whose old elements cannot be found. */
  readonly uncorrelated: string | undefined;
}

/** Returns the places of a schema that have rules, in the order in which a server checks them: what is inside comes first. */
export function placesWithRules(schema: StructuralSchema, path: string): readonly RulePlace[] {
  const found: RulePlace[] = [];
  collectPlaces(
    {
      schema,
      path,
      valuePath: "",
      isRoot: true,
      cardinality: 1n,
      around: [],
      uncorrelated: undefined,
    },
    found,
  );
  return found;
}

function collectPlaces(place: RulePlace, found: RulePlace[]): void {
  const { schema, path, valuePath } = place;
  const { items, properties, additionalProperties, mapType, listType } = schema;
  const inside = {
    isRoot: false,
    cardinality: multiplyCosts(place.cardinality, growthOf(schema)),
    uncorrelated: place.uncorrelated,
  };
  if (typeof additionalProperties === "object" && hasRules(additionalProperties)) {
    const values = {
      ...inside,
      schema: additionalProperties,
      path: `${path}.additionalProperties`,
      valuePath: `${valuePath}[*]`,
      around: withNode(place),
    };
    collectPlaces(values, found);
  }
  const isKnownMapType = mapType === undefined || ["atomic", "granular"].includes(mapType);
  for (const [name, property] of properties) {
    if (hasRules(property)) {
      const field = {
        ...inside,
        schema: property,
        path: `${path}.properties[${name}]`,
        valuePath: fieldPath(valuePath, name),
        around: place.around,
        uncorrelated: place.uncorrelated ?? (isKnownMapType ? undefined : path),
      };
      collectPlaces(field, found);
    }
  }
  if (items !== undefined && hasRules(items)) {
    const elements = {
      ...inside,
      schema: items,
      path: `${path}.items`,
      valuePath: `${valuePath}[*]`,
      around: withNode(place),
      uncorrelated: place.uncorrelated ?? (listType === "map" ? undefined : path),
    };
    collectPlaces(elements, found);
  }
  if (rulesOf(schema).length > 0) {
    found.push(place);
  }
}

function withNode({ schema, valuePath, around }: RulePlace): readonly SizedNode[] {
  const node = sizedNode(schema, valuePath);
  return node === undefined ? around : [...around, node];
}
