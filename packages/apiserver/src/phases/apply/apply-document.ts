import { codecs, mediaTypes, parseMediaType } from "@typekube/core/internal";
import type { Write } from "../../context/write.js";
import { badRequest } from "../../errors/status-errors.js";
import { isJsonObject } from "../../objects/json-value.js";
import { bodyDecoding, nestingProblem } from "../../request/body-nesting.js";
import { cborProblem, cborTypeOf } from "../../request/cbor-problem.js";
import { duplicateFields } from "../../request/duplicate-fields.js";
import { textOf } from "../../request/request-body.js";
import { readYaml, yamlProblems } from "../../request/yaml.js";

/**
 * Reads the body of an apply: CBOR if the content type says so, otherwise YAML, which includes JSON.
 *
 * @param duplicates - collects messages about duplicate keys in a mapping.
 */
export async function readApplyDocument(
  bytes: Uint8Array,
  contentType: string | undefined,
  duplicates: string[] = [],
): Promise<unknown> {
  if (parseMediaType(contentType ?? "").essence === mediaTypes.applyCbor) {
    return readApplyCbor(bytes);
  }
  const text = textOf(bytes);
  const isJson = text.trimStart().startsWith("{");
  const problem = isJson ? nestingProblem(text) : undefined;
  if (problem !== undefined) {
    const why = problem.isReal ? "yaml: exceeded max depth of 10000" : problem.message;
    throw badRequest(`error decoding patch: error converting YAML to JSON: ${why}`);
  }
  try {
    // Most clients send JSON; the JSON decoder is faster.
    if (isJson) {
      const document = await codecs.json.decode(bytes, bodyDecoding);
      if (duplicateFields(text).length === 0) {
        return document;
      }
    }
  } catch {
    // A YAML flow mapping also begins with a brace.
  }
  try {
    return readYaml(bytes, duplicates);
  } catch (error) {
    throw badRequest(`error encoding patch: yaml: ${(error as Error).message.split("\n")[0]}`);
  }
}

/** Rejects or warns of duplicate keys in an applied configuration. */
export function assertNoDuplicates(
  { options, warnings }: Write,
  duplicates: readonly string[],
): void {
  if (duplicates.length > 0 && options.fieldValidation === "Strict") {
    const why = `error converting YAML to JSON: ${yamlProblems(duplicates)}`;
    throw badRequest(`error strict decoding patch: ${why}`);
  }
  if (options.fieldValidation === "Warn") {
    warnings.push(...duplicates);
  }
}

async function readApplyCbor(bytes: Uint8Array): Promise<unknown> {
  try {
    const document = await codecs.cbor.decode(bytes, bodyDecoding);
    if (isJsonObject(document) || document === null) {
      return document ?? {};
    }
  } catch (error) {
    throw badRequest(`error decoding patch: ${cborProblem(bytes, error).message}`);
  }
  throw badRequest(
    `error decoding patch: cbor: cannot unmarshal ${cborTypeOf(bytes)} into Go value of type map[string]interface {}`,
  );
}
