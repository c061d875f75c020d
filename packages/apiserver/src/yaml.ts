import { binaryTag, dump, load, Schema, timestampTag, YAML11_SCHEMA } from "js-yaml";

// A real server reads YAML 1.1 (`yes` is a boolean, `010` is 8), but never makes dates or bytes of a scalar.
const apiSchema = new Schema(
  YAML11_SCHEMA.tags.filter((tag) => tag !== timestampTag && tag !== binaryTag),
);

/** Reads one YAML document; JSON is YAML too. Throws what the parser throws. */
export function readYaml(bytes: Uint8Array): unknown {
  return load(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"), {
    schema: apiSchema,
  });
}

const yamlStyle = {
  noRefs: true,
  skipInvalid: true,
  sortKeys: true,
  seqNoIndent: true,
  quoteStyle: "double",
} as const;

/** Writes one YAML document, with keys sorted as real servers do. */
export function writeYaml(value: unknown): Uint8Array {
  return Buffer.from(dump(value, yamlStyle), "utf8");
}
