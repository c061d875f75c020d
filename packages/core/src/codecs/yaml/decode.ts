import { isUtf8 } from "node:buffer";
import { asBuffer } from "../../bytes/bytes.js";
import { projectBody } from "../../projection/project-value.js";
import type { DecodeOptions } from "../codec.js";
import { decodeError } from "../decode-error.js";
import { withoutManagedFields } from "../json/managed-fields.js";
import { loadYaml, type Yaml } from "./js-yaml.js";
import { parseYaml } from "./parse.js";
import {
  type DocumentPlace,
  onlyDocument,
  positionOf,
  YamlProblem,
  yamlError,
} from "./yaml-problem.js";

/**
 * Decodes one YAML body. A server writes its JSON as YAML, and the decoded value equals that JSON, with two exceptions:
 * the server itself loses U+0085, and it responds with 500 for an object with U+007F to U+009F, U+FFFE or U+FFFF
 * (1.37).
 *
 * @param place - place of the document in a stream, for errors.
 */
export async function decodeYaml(
  bytes: Uint8Array,
  options: DecodeOptions = {},
  place: DocumentPlace = onlyDocument,
): Promise<unknown> {
  return decodeYamlWith(await loadYaml(), bytes, options, place);
}

/** Options of {@link decodeYamlWith}. */
export interface YamlOptions extends DecodeOptions {
  /**
   * Called when a mapping contains the same key twice, with the line of the second; the last value counts. Without the
   * callback such a body is rejected.
   */
  readonly onDuplicateKey?: ((key: string, line: number) => void) | undefined;
}

/**
 * Decodes one YAML body like the codec, but synchronously: for programs that have loaded js-yaml.
 *
 * @throws {KubeError} `Decode` or `TooLarge`, with document, line and column.
 */
export function decodeYamlWith(
  yaml: Yaml,
  bytes: Uint8Array,
  options: YamlOptions = {},
  place: DocumentPlace = onlyDocument,
): unknown {
  if (bytes.byteLength === 0) {
    throw decodeError("the body is empty where YAML was expected");
  }
  if (!isUtf8(bytes)) {
    throw decodeError(
      `the body is not YAML: it is not UTF-8 (document ${place.document}, starting at line ${place.line})`,
    );
  }
  const text = asBuffer(bytes).toString("utf8");
  try {
    const { limits, onDuplicateKey } = options;
    const received =
      onDuplicateKey &&
      ((key: string, offset: number) => onDuplicateKey(key, positionOf(text, offset, place).line));
    const [value, ...more] = parseYaml(yaml, text, limits, received);
    if (value === undefined) {
      throw new YamlProblem("it contains only comments", 0);
    }
    if (more.length > 0) {
      throw new YamlProblem("it contains more than one document", 0);
    }
    return projectBody(withoutManagedFields(value, options), options.projection);
  } catch (error) {
    throw error instanceof YamlProblem
      ? yamlError(error, "the body", "Decode", text, place)
      : error;
  }
}
