import type {
  KubeObject,
  ResourceDescriptor,
  Scope,
  SubresourceDescriptors,
  Verb,
} from "@typekube/api";
import type { CustomResourceDefinition } from "@typekube/api/apiextensions/v1";
import type { Right } from "@typekube/client";
import type { Comparison } from "../compare/compare-definitions.js";
import type { ExamplesOptions } from "../examples/random-objects.js";
import type { CheckOptions, CheckResult, SimulatedWrite } from "../objects/simulate-write.js";
import type { ClientOnly } from "../zod/conversion.js";
import type { AnyConverter } from "./converters.js";
import type { RightsOptions } from "./resource-rights.js";

/** Result of a simulated write, with the type of the object. */
export interface Simulation<T extends KubeObject> extends Omit<SimulatedWrite, "object"> {
  /** The object with defaults and without unknown fields; its type holds if there are no causes. */
  readonly object: T;
}

/** Options of a simulated write. */
export interface SimulateOptions extends CheckOptions {
  /** Version of the object, for a definition with several. Default: the one that the definition describes. */
  readonly version?: string | undefined;
}

/** A CustomResourceDefinition with its apiVersion and kind, so that `client.apply` takes it. */
export interface DefinitionManifest extends CustomResourceDefinition {
  apiVersion: "apiextensions.k8s.io/v1";
  kind: "CustomResourceDefinition";
}

/** A custom resource: its descriptor for clients, its CustomResourceDefinition, and checks of its objects. */
export interface CustomResource<
  T extends KubeObject = KubeObject,
  S extends Scope = Scope,
  Sub extends SubresourceDescriptors = SubresourceDescriptors,
> extends ResourceDescriptor<T, S, Verb, Sub> {
  /** Returns the CustomResourceDefinition, each time a new copy. Equal definitions give equal keys in equal order. */
  crd(): DefinitionManifest;
  /**
   * Returns the field errors with which a server would refuse a write of the object, and its warnings. Sends nothing. Of
   * the metadata, names, labels and annotations are checked. A field whose value is `undefined` is absent, as in JSON.
   *
   * @throws {KubeError} `InvalidArgument` for a value that is not an object, or for an unknown option.
   */
  check(object: unknown, options?: CheckOptions): CheckResult;
  /**
   * Simulates a write: returns the object with defaults and without unknown fields, the paths of dropped fields, and the
   * result of `check`. Sends nothing.
   *
   * @throws {KubeError} like `check`.
   */
  simulate(
    object: unknown,
    options?: CheckOptions & { readonly version?: undefined },
  ): Simulation<T>;
  /** Simulates a write of an object in another version of the definition. */
  simulate(object: unknown, options: SimulateOptions): Simulation<KubeObject>;
  /**
   * Returns a copy of an object that was read, with the defaults of fields that it lacks: a server adds them to new
   * objects, and to old ones when it reads them in the current definition. Rules are not evaluated.
   *
   * @throws {KubeError} `Invalid` with a cause for each field that does not fit the schema; `InvalidArgument` for a value
   * that is not an object.
   */
  parse(object: unknown): T;
  /**
   * Compares a definition that is installed with this one: `none` when nothing differs, `compatible` when all objects
   * stay valid and keep their fields, else `breaking`.
   *
   * @param live - a CustomResourceDefinition, as read from a server or another copy of this definition.
   */
  compare(live: CustomResourceDefinition): Comparison;
  /**
   * Returns a small object that `check` accepts, as a server stores it: required fields with their smallest values, and
   * defaults.
   *
   * @throws {KubeError} `InvalidArgument` when no value for a field is found, such as for one with a pattern.
   */
  example(): T;
  /**
   * Returns random objects that `check` accepts, as a server stores them: for property-based tests, and with their own
   * `fc.integer()` as seed for those of fast-check. Equal seeds give equal objects.
   *
   * @throws {KubeError} `InvalidArgument` when random objects do not meet a pattern or rule: give the field an example.
   */
  examples(options?: ExamplesOptions & { readonly version?: undefined }): T[];
  /** Returns random objects of a version of the definition. */
  examples(options: ExamplesOptions): KubeObject[];
  /**
   * Returns verbs on this resource or a subresource, for `rbacOf`: `rights(["get", "list"])`,
   * `rights(["patch"], { subresource: "status" })`.
   *
   * @throws {KubeError} `InvalidArgument` for verbs or a subresource that the resource does not have.
   */
  rights(verbs: readonly Verb[], options?: RightsOptions<keyof Sub & string>): Right;
  /** The converters of the other versions, which `conversion()` of `typekube/controller` serves; if they were given. */
  readonly convert: Readonly<Record<string, AnyConverter>> | undefined;
  /** The checks and changes of values in the zod schemas that no server makes, with their paths. */
  readonly clientOnly: readonly ClientOnly[];
  /** Parts of the definition that servers accept, but that are hardly meant: texts for its author. */
  readonly warnings: readonly string[];
}
