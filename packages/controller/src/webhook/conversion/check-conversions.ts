import type { KubeObject } from "@typekube/api";
import { KubeError, type StatusCause } from "@typekube/core";
import { assertOptions, integerFrom, type OptionTable } from "@typekube/core/internal";
import { assertRoundTrip } from "./assert-round-trip.js";
import { type ConvertedKind, conversion } from "./conversion.js";
import { convertObject } from "./convert-object.js";

/** Options of {@link checkConversions}. */
export interface CheckConversionsOptions {
  /** Integer that selects the objects; the error message repeats it. Default 1. */
  readonly seed?: number | undefined;
  /** Objects of each version. Default 100. */
  readonly runs?: number | undefined;
}

/** A kind of `defineResource` of `typekube/crd`, as far as the check of its conversions needs it. */
export interface CheckableKind extends ConvertedKind {
  examples(options: {
    readonly seed: number;
    readonly count: number;
    readonly version: string;
  }): readonly KubeObject[];
  simulate(
    object: unknown,
    options: { readonly version: string },
  ): { readonly causes: readonly StatusCause[]; readonly dropped: readonly string[] };
}

const defaultRuns = 100;

const checkConversionsOptions: OptionTable<CheckConversionsOptions> = {
  runs: integerFrom(1),
  seed: { mustBe: "an integer", isValid: (value) => Number.isSafeInteger(value) },
};

/**
 * Checks the converters of a definition with random objects, for tests: each object of each version must survive the way
 * to every other version and back, and its converted form must be valid there and lose no field to pruning:
 * `checkConversions(Widget, { seed: 7, runs: 200 })`.
 *
 * @throws {KubeError} `Invalid` that names the seed, the object, the versions and the path of what is lost or refused;
 * `InvalidArgument` for a definition without converters.
 */
export function checkConversions(kind: CheckableKind, options: CheckConversionsOptions = {}): void {
  assertOptions("checkConversions()", options, checkConversionsOptions);
  const { seed = 1, runs = defaultRuns } = options;
  const handler = conversion(kind);
  const versions = [handler.hub, ...handler.spokes.keys()];
  for (const version of versions) {
    const samples = kind.examples({ seed, count: runs, version });
    const context = `checkConversions() of ${kind.kind}, seed ${seed}, ${kind.group}/${version}`;
    try {
      assertRoundTrip(handler, samples);
    } catch (error) {
      const { rawMessage, hint } = KubeError.from(error);
      throw new KubeError("Invalid", `${context}: ${rawMessage}`, { hint, cause: error });
    }
    for (const other of versions.filter((one) => one !== version)) {
      for (const [at, sample] of samples.entries()) {
        const converted = convertObject(handler, sample, `${kind.group}/${other}`);
        const reason = refusal(kind.simulate(converted, { version: other }));
        if (reason !== undefined) {
          throw new KubeError(
            "Invalid",
            `${context}: sample ${at} becomes invalid in ${other}: ${reason}`,
          );
        }
      }
    }
  }
}

function refusal({
  causes: [cause],
  dropped: [dropped],
}: ReturnType<CheckableKind["simulate"]>): string | undefined {
  if (cause !== undefined) {
    return `${cause.field}: ${cause.message}`;
  }
  return dropped === undefined ? undefined : `${dropped} is not in the schema, and dropped`;
}
