import { KubeError, toYaml } from "@typekube/core";
import { decodeYamlWith } from "@typekube/core/yaml";
import * as yaml from "js-yaml";
import { firstDocument } from "./first-document.js";

/**
 * Reads the first YAML document as real servers do, which never look at the rest; JSON is YAML too. Throws an error that says what is wrong and where.
 *
 * @param duplicates - gets what go-yaml says of each key that stands twice in one mapping; the last one counts.
 */
export function readYaml(bytes: Uint8Array, duplicates: string[] = []): unknown {
  try {
    return decodeYamlWith(yaml, firstDocument(bytes), {
      onDuplicateKey: (key, line) =>
        duplicates.push(`line ${line}: key ${JSON.stringify(key)} already set in map`),
    });
  } catch (error) {
    throw error instanceof KubeError ? new Error(error.rawMessage) : error;
  }
}

/** All that go-yaml says of duplicate keys, as one error. */
export function yamlProblems(duplicates: readonly string[]): string {
  return ["yaml: unmarshal errors:", ...duplicates.map((one) => `  ${one}`)].join("\n");
}

/** Writes one YAML document, with keys sorted as real servers do. */
export function writeYaml(value: unknown): Uint8Array {
  return Buffer.from(toYaml(value, { managedFields: true }), "utf8");
}
