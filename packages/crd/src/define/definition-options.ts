import type { Scope } from "@typekube/api";
import type { ResourceNames } from "@typekube/client";
import { type OptionCheck, type OptionTable, oneOf } from "@typekube/core/internal";
import type { $ZodType, output } from "zod/v4/core";
import type { Rule } from "../rules/rule.js";
import type { Descriptions } from "../zod/conversion.js";
import type { ConversionManifest, WebhookConversion } from "./conversion-manifest.js";
import type { AnyConverter } from "./converters.js";

/** A column that `kubectl get` prints. */
export interface Column {
  readonly name: string;
  readonly type: "boolean" | "date" | "integer" | "number" | "string";
  /** Path of the value, such as `.spec.size` or `.status.conditions[?(@.type=="Ready")].status`. */
  readonly jsonPath: string;
  /** For example `int32`. Default: none. */
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  /** Columns above 0 are printed with `-o wide` only. Default 0. */
  readonly priority?: number | undefined;
}

/** Paths of the fields that the subresource `scale` reads and writes. */
export interface ScalePathOptions {
  /** Path of the number of replicas below `.spec`. Default `.spec.replicas`. */
  readonly specReplicasPath?: string | undefined;
  /** Path of the number of replicas below `.status`. Default `.status.replicas`. */
  readonly statusReplicasPath?: string | undefined;
  /** Path of the label selector as text, for autoscalers. Default: none. */
  readonly labelSelectorPath?: string | undefined;
}

/** The parts of a version, without the types of its schemas. */
export interface VersionParts {
  /** Rules about the whole object: `rule("self.spec.min <= self.spec.max")`. Default: none. */
  readonly cel?: readonly Rule[] | undefined;
  /** Columns that `kubectl get` prints between name and age. Default: the age only. */
  readonly columns?: readonly Column[] | undefined;
  /** Paths of fields for field selectors, at most 8: `.spec.color`. Default: name and namespace only. */
  readonly selectable?: readonly string[] | undefined;
  /** True or a text to deprecate the version; servers send the text as a warning. Default: not deprecated. */
  readonly deprecated?: boolean | string | undefined;
  /** True for a version that is served. Default true. */
  readonly served?: boolean | undefined;
  /** True for the version in which objects are stored. Default: true for the version of the definition, false for others. */
  readonly storage?: boolean | undefined;
}

/** Completes the types of schemas by a sentence for those that cannot be a spec or a status. */
export type ObjectSchema<S, Name extends string> = S extends $ZodType
  ? NonNullable<output<S>> extends readonly unknown[]
    ? `the ${Name} must be an object: z.object({ ... })`
    : NonNullable<output<S>> extends object
      ? unknown
      : `the ${Name} must be an object: z.object({ ... })`
  : `the ${Name} must be a schema of zod 4`;

/** A version of a custom resource. */
export interface VersionOptions<Spec = unknown, Status = unknown> extends VersionParts {
  /** Schema of the spec, an object of zod 4. Default: objects have no spec. */
  readonly spec?: (Spec & ObjectSchema<Spec, "spec">) | undefined;
  /** Schema of the status, an object of zod 4. Default: no status and no subresource `status`. */
  readonly status?: (Status & ObjectSchema<Status, "status">) | undefined;
  /** Paths for the subresource `scale`, or true for the usual ones. Default: no subresource `scale`. */
  readonly scale?: ScalePathOptions | true | undefined;
}

/** Another version of a custom resource, beside the one that the definition describes. */
export interface OtherVersion extends VersionParts {
  readonly name: string;
  /** Schema of the spec, an object of zod 4. */
  readonly spec?: $ZodType | undefined;
  /** Schema of the status, an object of zod 4. */
  readonly status?: $ZodType | undefined;
  /** JSON schema of the whole object, instead of `spec` and `status`. */
  readonly schema?: object | undefined;
  readonly scale?: ScalePathOptions | true | undefined;
}

/** Options of a definition that do not depend on the schemas. */
export interface SharedOptions<S extends Scope = Scope> extends ResourceNames<S> {
  /** Other versions, served too unless they say otherwise. Default: none. */
  readonly versions?: readonly OtherVersion[] | undefined;
  /**
   * How servers convert objects between versions: `{ strategy: "Webhook", clientConfig }`, or as in a definition. Leave it
   * out with `convert`, when a manager serves the converters: it writes the conversion of the definition. Default: servers
   * change the apiVersion only.
   */
  readonly conversion?: ConversionManifest | WebhookConversion | undefined;
  /** Annotations of the definition, such as `api-approved.kubernetes.io`. Default: none. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Labels of the definition. Default: none. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Description of the kind, for `kubectl explain`. Default: none. */
  readonly description?: string | undefined;
  /** How much of the descriptions in schemas goes into the definition. Default `full`. */
  readonly descriptions?: Descriptions | undefined;
  /**
   * Treatment of a schema that contains itself: `refuse` (default), or `preserve`, which repeats it `recursionDepth`
   * times and keeps deeper levels without a schema.
   */
  readonly recursive?: "preserve" | "refuse" | undefined;
  /** Levels for `recursive: "preserve"`. Default 3. */
  readonly recursionDepth?: number | undefined;
}

/** Any options of a definition, as they arrive at run time. */
export interface AnyDefinitionOptions extends SharedOptions, Omit<OtherVersion, "name"> {
  readonly convert?: Readonly<Record<string, AnyConverter>> | undefined;
}

const list: OptionCheck = { mustBe: "a list", isValid: Array.isArray };
const flag: OptionCheck = {
  mustBe: "true or false",
  isValid: (value) => typeof value === "boolean",
};

const versionTable = {
  cel: list,
  columns: list,
  deprecated: {
    mustBe: "true, false or a text",
    isValid: (value: unknown) => typeof value === "boolean" || typeof value === "string",
  },
  scale: true,
  schema: true,
  selectable: list,
  served: flag,
  spec: true,
  status: true,
  storage: flag,
} as const satisfies OptionTable<Omit<OtherVersion, "name">>;

/** Names and checks of {@link OtherVersion}. */
export const otherVersion: OptionTable<OtherVersion> = { ...versionTable, name: true };

/** Names and checks of the options of `defineResource`. */
export const definitionOptions: OptionTable<AnyDefinitionOptions> = {
  ...versionTable,
  annotations: true,
  categories: list,
  conversion: true,
  convert: true,
  description: true,
  descriptions: oneOf("full", "short", "none"),
  group: true,
  kind: true,
  labels: true,
  listKind: true,
  plural: true,
  recursionDepth: {
    mustBe: "an integer from 1 on",
    isValid: (value) => Number.isInteger(value) && (value as number) > 0,
  },
  recursive: oneOf("preserve", "refuse"),
  scope: oneOf("Cluster", "Namespaced"),
  shortNames: list,
  singular: true,
  version: true,
  versions: list,
};

/** Names and checks of {@link ScalePathOptions}. */
export const scalePathOptions: OptionTable<ScalePathOptions> = {
  labelSelectorPath: true,
  specReplicasPath: true,
  statusReplicasPath: true,
};
