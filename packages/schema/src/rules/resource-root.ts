import type { StructuralSchema } from "../structural/structural-schema.js";
import { readStructuralSchema } from "../structural/structural-schema.js";

/** Longest name of an object; the suffix of a generated name takes at least one character. */
const nameMaxLength = 253;

/**
 * Returns the schema that rules at the root of a resource see: `apiVersion`, `kind`, `metadata.name` and
 * `metadata.generateName` always exist, other fields of the metadata never do.
 */
export function withTypeAndMetadata(schema: StructuralSchema): StructuralSchema {
  const { properties } = schema;
  const metadata = properties.get("metadata");
  const isComplete =
    properties.get("kind")?.type === "string" &&
    properties.get("apiVersion")?.type === "string" &&
    metadata?.type === "object" &&
    metadata.properties.get("name")?.type === "string" &&
    metadata.properties.get("generateName")?.type === "string";
  if (isComplete) {
    return schema;
  }
  const name = cappedText(metadata?.properties.get("name"), nameMaxLength);
  const generateName = cappedText(metadata?.properties.get("generateName"), nameMaxLength - 1);
  return {
    ...schema,
    properties: new Map([
      ...properties,
      ["kind", text],
      ["apiVersion", text],
      [
        "metadata",
        {
          ...readStructuralSchema({ type: "object" }),
          properties: new Map([
            ["name", name],
            ["generateName", generateName],
          ]),
        },
      ],
    ]),
  };
}

const text = readStructuralSchema({ type: "string" });

function cappedText(existing: StructuralSchema | undefined, longest: number): StructuralSchema {
  const own = existing?.source["maxLength"];
  const maxLength = typeof own === "number" && own < longest ? own : longest;
  return readStructuralSchema({ type: "string", maxLength });
}
