import { KubeError, toYaml } from "@typekube/core";
import { decodeYamlWith } from "@typekube/core/yaml";
import * as yaml from "js-yaml";
import { yamlBodyDecoding } from "./body-nesting.js";
import { firstDocument } from "./first-document.js";

/**
 * Reads the first YAML document and, like real servers, ignores the rest; JSON is valid YAML. Throws an error with the
 * problem and its position.
 *
 * @param duplicates - collects go-yaml's messages about duplicate keys in a mapping; the last value counts.
 */
export function readYaml(bytes: Uint8Array, duplicates: string[] = []): unknown {
  try {
    return decodeYamlWith(yaml, firstDocument(bytes), {
      ...yamlBodyDecoding,
      onDuplicateKey: (key, line) =>
        duplicates.push(`line ${line}: key ${JSON.stringify(key)} already set in map`),
    });
  } catch (error) {
    throw error instanceof KubeError ? new Error(error.rawMessage) : error;
  }
}

/** Joins go-yaml's messages about duplicate keys into one error message. */
export function yamlProblems(duplicates: readonly string[]): string {
  return ["yaml: unmarshal errors:", ...duplicates.map((one) => `  ${one}`)].join("\n");
}

/** Writes one YAML document with sorted keys, like real servers. */
export function writeYaml(value: unknown): Uint8Array {
  return Buffer.from(toYaml(value, { managedFields: true }), "utf8");
}
