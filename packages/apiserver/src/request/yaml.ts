import { KubeError, toYaml } from "@typekube/core";
import { decodeYamlWith } from "@typekube/core/yaml";
import * as yaml from "js-yaml";

/** Reads one YAML document as real servers do; JSON is YAML too. Throws an error that says what is wrong and where. */
export function readYaml(bytes: Uint8Array): unknown {
  try {
    return decodeYamlWith(yaml, bytes);
  } catch (error) {
    throw error instanceof KubeError ? new Error(error.rawMessage) : error;
  }
}

/** Writes one YAML document, with keys sorted as real servers do. */
export function writeYaml(value: unknown): Uint8Array {
  return Buffer.from(toYaml(value, { managedFields: true }), "utf8");
}
