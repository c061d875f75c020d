import { KubeError, type StatusCause } from "@typekube/core";
import { assertOptions, integerFrom, type OptionTable } from "@typekube/core/internal";
import type { JsonObject } from "@typekube/core/internal/json";
import type { StructuralSchema } from "@typekube/schema";
import type { CheckedVersion } from "../objects/checked-version.js";
import { simulateWrite } from "../objects/simulate-write.js";
import { type Random, seeded } from "./random.js";
import { randomValue } from "./random-value.js";

/** Options of `examples` of a custom resource. */
export interface ExamplesOptions {
  /** Integer that selects the objects: the same seed gives the same objects. Default 1. */
  readonly seed?: number | undefined;
  /** Number of objects. Default 100. */
  readonly count?: number | undefined;
  /** Version of the objects, for a definition with several. Default: the one that the definition describes. */
  readonly version?: string | undefined;
}

/** Names and checks of {@link ExamplesOptions}. */
const examplesOptions: OptionTable<Omit<ExamplesOptions, "version">> = {
  count: integerFrom(0),
  seed: {
    mustBe: "an integer",
    isValid: (value) => Number.isSafeInteger(value),
  },
};

const defaultCount = 100;
/** Random objects until one is valid. */
const maxTries = 1_000;

/**
 * Returns random objects of a version that a server accepts, as it stores them. Objects that break the schema or a rule
 * are left out.
 *
 * @throws {KubeError} `InvalidArgument` when the schema or a rule refuses all objects.
 */
export function randomObjects(
  version: CheckedVersion,
  options: Omit<ExamplesOptions, "version">,
): JsonObject[] {
  assertOptions("examples()", options, examplesOptions);
  const { seed = 1, count = defaultCount } = options;
  const random = seeded(seed);
  return Array.from({ length: count }, (_, at) => validObject(version, `example-${at}`, random));
}

function validObject(version: CheckedVersion, name: string, random: Random): JsonObject {
  const reasons = new Map<string, number>();
  const note = (causes: readonly StatusCause[]) => {
    for (const { field, message } of causes) {
      // The values in a message differ from object to object.
      const reason = `${field}: ${message?.replace(/Invalid value: (?:"(?:[^"\\]|\\.)*"|\S+): /, "")}`;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  };
  for (let tries = 0; tries < maxTries; tries += 1) {
    const candidate = randomObject(version, name, random);
    const { object, causes } = simulateWrite(version, candidate);
    if (causes.length === 0) {
      return withStatus(version, object, candidate["status"], note) ?? object;
    }
    note(causes);
  }
  const [most] = [...reasons].sort(([, a], [, b]) => b - a);
  throw new KubeError(
    "InvalidArgument",
    `examples(): none of ${maxTries} random objects of ${version.kind} is valid; most often ${most?.[0]}`,
    { hint: 'give the field an example that fits: meta({ example: "..." })' },
  );
}

function randomObject(
  { apiVersion, kind, schema }: CheckedVersion,
  name: string,
  random: Random,
): JsonObject {
  // Small objects and full ones find different faults; rules about several fields refuse full ones more often.
  const density = { optional: random.next() };
  const labels = random.chance(0.3) ? { labels: { app: "example" } } : {};
  const parts = randomValue(rootOf(schema), random, density) as JsonObject;
  return { ...parts, apiVersion, kind, metadata: { name, ...labels } };
}

/** Returns the schema of the root without the fields of all objects. */
function rootOf(schema: StructuralSchema): StructuralSchema {
  const properties = new Map(schema.properties);
  for (const name of ["apiVersion", "kind", "metadata"]) {
    properties.delete(name);
  }
  return { ...schema, type: "object", properties };
}

/** Adds a status, if the kind has one and it is valid. */
function withStatus(
  version: CheckedVersion,
  old: JsonObject,
  status: unknown,
  note: (causes: readonly StatusCause[]) => void,
): JsonObject | undefined {
  if (!version.hasStatus || status === undefined) {
    return undefined;
  }
  const next = { ...old, status };
  const { object, causes } = simulateWrite(version, next, { old, subresource: "status" });
  note(causes);
  return causes.length === 0 ? object : undefined;
}
