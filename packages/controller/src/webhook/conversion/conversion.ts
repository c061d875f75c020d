import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { KubeError } from "@typekube/core";
import { assertOptions, type OptionTable, oneOf } from "@typekube/core/internal";
import type { Converters, Spoke } from "./converters.js";

/** Options of {@link conversion}. */
export interface ConversionOptions {
  /**
   * `annotate` returns an object that cannot be converted with its own fields, and the original in the annotation
   * `typekube.dev/unconverted`, from which the way back restores it. Otherwise one such object breaks every list of the
   * kind, which stops the garbage collector and the deletion of namespaces. Default `fail`.
   */
  readonly onConversionError?: "annotate" | "fail" | undefined;
}

const conversionOptions: OptionTable<ConversionOptions> = {
  onConversionError: oneOf("annotate", "fail"),
};

/** A kind whose definition has converters of its other versions; the version of the kind is the hub. */
export interface ConvertedKind extends ResourceDescriptor {
  readonly convert: Readonly<Record<string, Spoke>> | undefined;
}

/** Converts the objects of one kind between its versions. It is data until a manager or `createWebhook` serves it. */
export interface ConversionHandler {
  readonly type: "conversion";
  /** Name in metrics and logs: the kind in lower case. */
  readonly name: string;
  readonly kind: ResourceDescriptor;
  readonly hub: string;
  /** Converters by version, without the hub. */
  readonly spokes: ReadonlyMap<string, Spoke>;
  readonly onConversionError: "annotate" | "fail";
}

/**
 * Defines the conversion webhook of a custom resource by the converters of its definition, its option `convert`.
 *
 * @throws {KubeError} `InvalidArgument` when the definition has no converters.
 */
export function conversion(kind: ConvertedKind, options?: ConversionOptions): ConversionHandler;
/**
 * Defines the conversion webhook of a custom resource.
 *
 * @example
 * ```ts
 * const converted = conversion(Shop, {
 *   hub: "v1",
 *   v1beta1: {
 *     toHub: ({ spec, ...shop }: ShopV1beta1) => ({ ...shop, spec: { host: spec.domain } }),
 *     fromHub: ({ spec, ...shop }) => ({ ...shop, spec: { domain: spec.host } }),
 *   },
 * });
 * ```
 *
 * @throws {KubeError} `InvalidArgument` when a converter is missing, or the hub is not the version of the descriptor.
 */
export function conversion<T extends KubeObject>(
  kind: ResourceDescriptor<T>,
  converters: Converters<NoInfer<T>>,
  options?: ConversionOptions,
): ConversionHandler;
export function conversion(
  kind: ConvertedKind | ResourceDescriptor,
  second: ConversionOptions | Converters = {},
  third: ConversionOptions = {},
): ConversionHandler {
  const isGiven = "hub" in second;
  const options = isGiven ? third : (second as ConversionOptions);
  assertOptions("conversion()", options, conversionOptions);
  const { hub, ...versions } = isGiven ? (second as Converters) : convertersOf(kind);
  if (hub !== kind.version) {
    throw new KubeError("InvalidArgument", `hub: ${hub} is not the version of ${kind.apiVersion}`, {
      hint: `the hub has the type of the descriptor: ${kind.version}`,
    });
  }
  const spokes = new Map(Object.entries(versions)) as ReadonlyMap<string, Spoke>;
  for (const [version, spoke] of spokes) {
    if (
      version === hub ||
      typeof spoke.toHub !== "function" ||
      typeof spoke.fromHub !== "function"
    ) {
      throw new KubeError("InvalidArgument", `${version}: must have toHub and fromHub`, {
        hint: version === hub ? "the hub version needs no converter" : undefined,
      });
    }
  }
  const { onConversionError = "fail" } = options;
  return {
    type: "conversion",
    name: kind.kind.toLowerCase(),
    kind,
    hub,
    spokes,
    onConversionError,
  };
}

function convertersOf(kind: ConvertedKind | ResourceDescriptor): Converters {
  const { convert } = kind as Partial<ConvertedKind>;
  if (convert === undefined) {
    throw new KubeError("InvalidArgument", `the definition of ${kind.kind} has no converters`, {
      hint: 'pass { hub: "v1", v1beta1: { toHub, fromHub } }, or define the kind with the option convert',
    });
  }
  return { ...convert, hub: kind.version };
}
