import {
  binaryTag,
  DUMP_SCHEMA,
  defineScalarTag,
  dump,
  intYaml11Tag,
  load,
  NOT_RESOLVED,
  Schema,
  timestampTag,
  YAML11_SCHEMA,
} from "js-yaml";

/** Integers as YAML 1.1 writes them. Beyond 2^53 they become `bigint`, so that nothing is lost. */
const integerTag = defineScalarTag<bigint | number>(intYaml11Tag.tagName, {
  ...intYaml11Tag,
  resolve(source, isExplicit, tagName): bigint | number | typeof NOT_RESOLVED {
    const value = intYaml11Tag.resolve(source, isExplicit, tagName);
    return value === NOT_RESOLVED || Number.isSafeInteger(value)
      ? value
      : (largeInteger(source) ?? value);
  },
  identify: (value) => typeof value === "bigint" || intYaml11Tag.identify(value),
  represent: (value: unknown) =>
    typeof value === "bigint" ? String(value) : intYaml11Tag.represent(value),
});

function largeInteger(source: string): bigint | undefined {
  const [, sign, digits] =
    /^([-+]?)(0x[\da-f]+|0b[01]+|\d+)$/i.exec(source.replaceAll("_", "")) ?? [];
  if (digits === undefined) {
    return undefined;
  }
  const magnitude = BigInt(digits.replace(/^0(?=[0-7]+$)/, "0o"));
  return sign === "-" ? -magnitude : magnitude;
}

// A real server reads YAML 1.1 (`yes` is a boolean, `010` is 8), but never makes dates or bytes of a scalar.
const apiSchema = new Schema(
  YAML11_SCHEMA.tags.filter((tag) => tag !== timestampTag && tag !== binaryTag),
).withTags(integerTag);

/** Reads one YAML document; JSON is YAML too. Throws what the parser throws. */
export function readYaml(bytes: Uint8Array): unknown {
  return load(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"), {
    schema: apiSchema,
  });
}
const yamlStyle = {
  schema: DUMP_SCHEMA.withTags(integerTag),
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
