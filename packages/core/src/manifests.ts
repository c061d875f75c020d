import type { KubeObject } from "./api-types.js";
import { KubeError } from "./kube-error.js";

/**
 * Reads YAML text with any number of documents. Empty documents are left out; a `kind: List`, as `kubectl get -o yaml`
 * writes it, counts as its items.
 *
 * @throws {KubeError} `InvalidArgument` with line and column for text that is not YAML, and for documents that are
 * no API objects.
 */
export async function parseManifests(text: string): Promise<KubeObject[]> {
  const yaml = await import("js-yaml");
  const { loadAll, YAMLException } = yaml;
  let documents: unknown[];
  try {
    documents = loadAll(text, { schema: manifestSchema(yaml) });
  } catch (error) {
    if (error instanceof YAMLException) {
      const at = error.mark
        ? ` (line ${error.mark.line + 1}, column ${error.mark.column + 1})`
        : "";
      throw new KubeError("InvalidArgument", `the manifest is not YAML: ${error.reason}${at}`, {
        cause: error,
      });
    }
    throw error;
  }
  return documents
    .filter((document) => document !== null && document !== undefined)
    .flatMap((document, index) => objectsOf(document, index));
}

/**
 * How kubectl reads scalars where the core schema of YAML 1.2 does otherwise: `<<` merges, `0644` is octal, `1_000` is
 * a thousand. An integer beyond 2^53 becomes a `bigint`, so that nothing is lost.
 */
function manifestSchema(yaml: Yaml) {
  const { CORE_SCHEMA, defineScalarTag, intCoreTag, mergeTag } = yaml;
  const integer = defineScalarTag<bigint | number>("tag:yaml.org,2002:int", {
    ...intCoreTag,
    resolve(source): bigint | number | typeof yaml.NOT_RESOLVED {
      const [, sign, digits = ""] = integerPattern.exec(source.replaceAll("_", "")) ?? [];
      if (digits === "" || source.startsWith("_")) {
        return yaml.NOT_RESOLVED;
      }
      const magnitude = BigInt(digits.replace(/^0(?=[0-7]+$)/, "0o"));
      const value = sign === "-" ? -magnitude : magnitude;
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    },
  });
  return CORE_SCHEMA.withTags(integer, mergeTag);
}

type Yaml = typeof import("js-yaml");

const integerPattern = /^([-+]?)(0x[\da-f]+|0o[0-7]+|0b[01]+|\d+)$/i;

function objectsOf(document: unknown, index: number): KubeObject[] {
  const object = (document ?? {}) as KubeObject & { items?: unknown };
  if (!isName(object.apiVersion) || !isName(object.kind)) {
    throw new KubeError("InvalidArgument", `document ${index} of the manifest is no API object`, {
      hint: "each document needs apiVersion and kind",
    });
  }
  return object.kind === "List" && Array.isArray(object.items)
    ? object.items.flatMap((item) => objectsOf(item, index))
    : [object];
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}
