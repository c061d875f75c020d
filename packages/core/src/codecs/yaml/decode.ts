import { isUtf8 } from "node:buffer";
import { asBuffer } from "../../bytes.js";
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
 * Decodes one YAML body. A server writes the YAML of its JSON, and what it is decoded to is what that JSON says; but
 * U+0085 is lost on the way by the server itself, and an object with U+007F to U+009F, U+FFFE or U+FFFF it answers with
 * 500 (1.37).
 *
 * @param place - which document of a stream it is, for errors.
 */
export async function decodeYaml(
  bytes: Uint8Array,
  options: DecodeOptions = {},
  place: DocumentPlace = onlyDocument,
): Promise<unknown> {
  return decodeYamlWith(await loadYaml(), bytes, options, place);
}

/** How to decode YAML at once. */
export interface YamlOptions extends DecodeOptions {
  /** Called when a key stands twice in one mapping, with the line of the second; the last one counts. Without it such a body is refused. */
  readonly onDuplicateKey?: ((key: string, line: number) => void) | undefined;
}

/**
 * Decodes one YAML body as the codec does, at once: for programs that have js-yaml loaded.
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
      `the body is not YAML: it is not UTF-8 (document ${place.document}, from line ${place.line} on)`,
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
      throw new YamlProblem("there is nothing but comments", 0);
    }
    if (more.length > 0) {
      throw new YamlProblem("there is more than one document", 0);
    }
    return withoutManagedFields(value, options);
  } catch (error) {
    throw error instanceof YamlProblem
      ? yamlError(error, "the body", "Decode", text, place)
      : error;
  }
}
