import { isUtf8 } from "node:buffer";
import { asBuffer, tooLarge } from "../../bytes/bytes.js";
import { KubeError } from "../../errors/kube-error.js";
import type {
  Manifest,
  ManifestObject,
  ManifestOptions,
  ManifestSource,
} from "../../manifests/manifest.js";
import { manifestItems } from "../../manifests/manifest-items.js";
import type { KubeObject } from "../../objects/api-types.js";
import { defaultLimits } from "../../options/limits.js";
import { type DocumentBytes, DocumentSplitter } from "./document-splitter.js";
import { loadYaml } from "./js-yaml.js";
import { parseYaml } from "./parse.js";
import { asUtf8 } from "./utf16-source.js";
import { type DocumentPlace, YamlProblem, yamlError } from "./yaml-problem.js";

/** See the function of the same name in `manifests.ts` of this package. */
export async function parseManifests(
  text: string,
  options: ManifestOptions = {},
): Promise<ManifestObject[]> {
  const objects: ManifestObject[] = [];
  // The text is in memory already, so a document may be as large as a body that is read whole.
  const assertSize = sizeLimit("maxBodyBytes", options);
  const splitter = new DocumentSplitter();
  for (const document of [...splitter.push(Buffer.from(text)), ...splitter.end()]) {
    assertSize(document, document.bytes.byteLength);
    for (const object of await objectsIn(document, options)) {
      objects.push(object);
    }
  }
  return objects;
}

/** See the function of the same name in `manifests.ts` of this package. */
export async function* readManifests(
  source: ManifestSource,
  options: ManifestOptions = {},
): AsyncIterable<Manifest> {
  const assertSize = sizeLimit("maxObjectBytes", options);
  const splitter = new DocumentSplitter();
  for await (const chunk of asUtf8(source)) {
    yield* manifestsIn(splitter.push(chunk), assertSize, options);
    assertSize(splitter.place, splitter.waitingBytes);
  }
  yield* manifestsIn(splitter.end(), assertSize, options);
}

async function* manifestsIn(
  documents: readonly DocumentBytes[],
  assertSize: AssertSize,
  options: ManifestOptions,
): AsyncIterable<Manifest> {
  for (const document of documents) {
    assertSize(document, document.bytes.byteLength);
    for (const object of await objectsIn(document, options)) {
      yield { object, document: document.document, line: document.line };
    }
  }
}

/** Rejects a document of more bytes than its limit. */
type AssertSize = (place: DocumentPlace, bytes: number) => void;

function sizeLimit(
  name: "maxBodyBytes" | "maxObjectBytes",
  { limits }: ManifestOptions,
): AssertSize {
  const maxBytes = limits?.[name] ?? defaultLimits[name];
  return ({ document }, bytes) => {
    if (bytes > maxBytes) {
      throw tooLarge(`document ${document} of the manifest`, maxBytes, name);
    }
  };
}

async function objectsIn(
  { bytes, ...place }: DocumentBytes,
  { limits, duplicateKeys = "error" }: ManifestOptions,
): Promise<readonly ManifestObject[]> {
  if (!isUtf8(bytes)) {
    const where = `(document ${place.document}, starting at line ${place.line})`;
    throw new KubeError("InvalidArgument", `the manifest is not UTF-8 ${where}`);
  }
  const read = withEscapedBreaks(asBuffer(bytes).toString("utf8"));
  // kubectl reads line by line and adds a break to each line, so a block scalar at the end of a file ends with a break.
  const text = /[\n\r]$/.test(read) ? read : `${read}\n`;
  const ignored = duplicateKeys === "last" ? () => {} : undefined;
  try {
    const documents = parseYaml(await loadYaml(), text, limits, ignored);
    return documents
      .filter((document) => document !== null)
      .flatMap((document) => objectsOf(document, place));
  } catch (error) {
    throw error instanceof YamlProblem
      ? yamlError(error, "the manifest", "InvalidArgument", read, place)
      : error;
  }
}

/**
 * Escapes the line breaks of YAML 1.1 in a document that is JSON. JSON has them only in strings, and read as YAML they
 * would remove the blanks around them.
 */
function withEscapedBreaks(text: string): string {
  const [start] = /^\ufeff?\s*(?:---\s+)?(?=\{)/.exec(text) ?? [];
  if (start === undefined || !/[\u0085\u2028\u2029]/.test(text)) {
    return text;
  }
  const json = text.slice(start.length);
  return isJson(json) ? start + json.replace(/[\u0085\u2028\u2029]/g, escapeOf) : text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // A YAML flow mapping; if it is invalid, YAML's error has the position.
  }
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function objectsOf(value: unknown, place: DocumentPlace): readonly ManifestObject[] {
  const objects = manifestItems((value ?? {}) as KubeObject);
  if (!objects.every(hasTypeMeta)) {
    const where = `document ${place.document} of the manifest (starting at line ${place.line})`;
    throw new KubeError("InvalidArgument", `${where} is not an API object`, {
      hint: "each document needs apiVersion and kind",
    });
  }
  return objects;
}

function hasTypeMeta(object: KubeObject): object is ManifestObject {
  return isName(object?.apiVersion) && isName(object?.kind);
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}
