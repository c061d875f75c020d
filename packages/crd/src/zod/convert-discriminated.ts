import { getOwn, type JsonObject, jsonEqual, setOwn } from "@typekube/core/internal/json";
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import type { Conversion } from "./conversion.js";

const hint = "give the fields different names, or the same schema";

interface Branch {
  readonly properties: JsonObject;
  readonly required: readonly string[];
  readonly values: readonly unknown[];
  readonly preserves: boolean;
}

/**
 * Converts a discriminated union: the properties of all branches stand in one object, since a structural schema has one
 * schema for each field. `oneOf` lists, for each branch, the values of the discriminator and the required fields.
 */
export function convertDiscriminated(
  discriminator: string,
  options: readonly $ZodType[],
  place: Conversion,
): JsonObject {
  const branches = options.map((option, index) => branchOf(discriminator, option, index, place));
  const properties = mergedProperties(discriminator, branches, place);
  const shared = branches
    .map(({ required }) => required)
    .reduce((all, own) => all.filter((name) => own.includes(name)));
  refusePartialDefaults(branches, place);
  return {
    type: "object",
    properties,
    ...(shared.length === 0 ? {} : { required: [...shared] }),
    oneOf: branches.map(({ required, values }) => ({
      properties: { [discriminator]: { enum: [...values] } },
      required: [...required],
    })),
    ...(branches.some(({ preserves }) => preserves)
      ? { "x-kubernetes-preserve-unknown-fields": true }
      : {}),
  };
}

function branchOf(
  discriminator: string,
  option: $ZodType,
  index: number,
  place: Conversion,
): Branch {
  const json = place.at(`(${index})`).convert(option);
  const properties = (json["properties"] ?? {}) as JsonObject;
  const { enum: values } = (getOwn(properties, discriminator) ?? {}) as { enum?: unknown[] };
  if (json["type"] !== "object" || json["oneOf"] !== undefined || values === undefined) {
    const { type } = (option as $ZodTypes)._zod.def;
    place.refuse(
      `z.discriminatedUnion() with a branch of type ${type} whose ${discriminator} has no fixed values`,
      "make each branch a z.object() whose discriminator is a z.literal() or z.enum()",
    );
  }
  return {
    properties,
    required: (json["required"] ?? []) as readonly string[],
    values: values ?? [],
    preserves: json["x-kubernetes-preserve-unknown-fields"] === true,
  };
}

function mergedProperties(
  discriminator: string,
  branches: readonly Branch[],
  place: Conversion,
): JsonObject {
  const merged: JsonObject = {};
  const owner = new Map<string, number>();
  for (const [index, { properties }] of branches.entries()) {
    for (const [name, schema] of Object.entries(properties) as [string, JsonObject][]) {
      const known = getOwn(merged, name) as JsonObject | undefined;
      if (known === undefined) {
        setOwn(merged, name, schema);
        owner.set(name, index);
      } else if (name === discriminator && known["type"] === schema["type"]) {
        const values = [...(known["enum"] as unknown[]), ...(schema["enum"] as unknown[])];
        setOwn(merged, name, { ...known, enum: [...new Set(values)] });
      } else if (!jsonEqual(known, schema)) {
        const [one, other] = [owner.get(name) ?? 0, index].map(
          (branch) => place.at(`(${branch}).${name}`).path,
        );
        place.refuse(
          `z.discriminatedUnion() whose branches have different schemas for ${name}: ${one} and ${other}`,
          hint,
        );
      }
    }
  }
  return merged;
}

/** A server fills a default in whatever branch an object has, so a default of one branch would appear in the others. */
function refusePartialDefaults(branches: readonly Branch[], place: Conversion): void {
  for (const [index, { properties }] of branches.entries()) {
    for (const [name, schema] of Object.entries(properties) as [string, JsonObject][]) {
      const isShared = branches.every((one) => Object.hasOwn(one.properties, name));
      if (schema["default"] !== undefined && !isShared) {
        place
          .at(`(${index}).${name}`)
          .refuse(
            "a default in one branch of z.discriminatedUnion(): a server fills it in all branches",
            "make the field optional, or put it into every branch",
          );
      }
    }
  }
}
