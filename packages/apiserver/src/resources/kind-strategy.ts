import type { Clock, Random } from "@typekube/core/internal";
import type { FieldErrors } from "../errors/field-errors.js";
import type { StatusError } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import type { JsonObject } from "../objects/json-value.js";
import type { User } from "../objects/user.js";
import type { SchemaNode } from "../schema/schema-node.js";
import type { Store } from "../store/store.js";
import type { FeatureGates } from "./feature-gates.js";
import type { ImmutableField } from "./immutable-field.js";
import type { ResourceRules } from "./resource-rules.js";
import type { TableColumn } from "./table-column.js";

/** Server state that a strategy may use. */
export interface StrategyServer {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly gates: FeatureGates;
  /** Minor version that the server reports, such as "1.37". */
  readonly version: string;
  /** Actor that empties deleted namespaces. */
  readonly namespaceKeeper: "controller" | "delete" | "nobody";
}

/** A write as a strategy sees it. */
export interface StrategyWrite {
  readonly server: StrategyServer;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Absent for writes of the server itself. */
  readonly user: User | undefined;
  /** Adds a warning to the response. */
  warn(text: string): void;
}

/** Options of a delete as a strategy sees them. */
export interface StrategyDelete {
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: "Background" | "Foreground" | "Orphan" | undefined;
}

/** Result of reading the fields of a body. */
export interface FieldsRead {
  readonly object: JsonObject;
  /** Paths of fields that the schema does not have. */
  readonly unknownFields: readonly string[];
}

/** Reads the bodies of a kind whose schema is not a Go type. */
export interface BodyDecoder {
  /**
   * Checks the kind and apiVersion of a body.
   *
   * @param isPatch - `true` for the result of a patch, whose mistakes are field errors.
   * @param json - returns the body as received.
   */
  assertKind(body: JsonObject, isPatch: boolean, json: (() => string) | undefined): void;
  /** Reads the fields that the schema has. */
  readFields(body: JsonObject, node: SchemaNode, refuse: (why: string) => StatusError): FieldsRead;
}

/**
 * The rules and steps of one kind beyond those of all kinds: the counterpart of kube-apiserver's
 * `rest.RESTCreateStrategy`, `RESTUpdateStrategy` and `RESTDeleteStrategy`. The phases of a request call it. Strategies
 * never modify the objects they are given; they append field errors to `errors`.
 */
export interface KindStrategy {
  /** Storage name. Default: plural name and group. */
  readonly storage?: string;
  /** Rules that differ from those of most kinds. */
  readonly rules?: Partial<ResourceRules>;
  /** Fields that an update can't change. */
  readonly immutable?: readonly ImmutableField[];
  /**
   * Feature gates by the path of the field that they guard, where `*` stands for each item of a list: gates that real
   * servers check in code (`dropDisabledFields` of a `strategy.go`) instead of declaring them on the type.
   */
  readonly gatedFields?: Readonly<Record<string, keyof FeatureGates>>;
  /** Paths of errors by rules that old objects may keep violating, beyond those of pod specs. */
  readonly laterRules?: readonly RegExp[];
  /** `true` to report errors of changes before those of values. Default: after them. */
  readonly changesFirst?: boolean;
  /** Fields that lists and watches can select by. Default: name and namespace. */
  readonly fieldSelectors?: FieldSelectors;
  /** Columns of tables. Default: name and creation time. */
  readonly columns?: readonly TableColumn[];
  /** Conversion between versions that differ in more than their apiVersion. */
  readonly versions?: KindVersions;
  /** Reads bodies. Default: the Go type of the kind. */
  readonly decoder?: BodyDecoder;
  /** Reason why the server does not act on its objects, to follow "this embedded API server". */
  readonly idle?: IdleReason;

  /** Fills in defaults of the schema, before the status of a new object is removed. */
  schemaDefaults?(object: ApiObject): ApiObject;
  /** Fills in values that depend on the whole object; runs on every write, after the defaults of types. */
  defaults?(object: ApiObject): ApiObject;
  /** @throws {StatusError} when no object can be created now. */
  assertCreatable?(name: string): void;
  /** Completes an object that is being created. No field manager owns the result. */
  prepareCreate?(object: ApiObject, write: StrategyWrite): ApiObject;
  /** Completes an object that is being updated, except through subresources. */
  prepareUpdate?(object: ApiObject, old: ApiObject, write: StrategyWrite): ApiObject;
  /** Completes an object that is being updated through a subresource. */
  prepareSubresource?(object: ApiObject, old: ApiObject, write: StrategyWrite): ApiObject;
  /** Returns the status to store for a write through `status`. */
  mergeStatus?(status: unknown, old: ApiObject): unknown;
  /** Returns the spec to store for a write through another subresource; `undefined` if it has no spec of its own. */
  mergeSpec?(subresource: string, given: ApiObject, old: ApiObject): JsonObject | undefined;

  /** Checks the values of an object on create and update. */
  validate?(object: ApiObject, errors: FieldErrors, old?: ApiObject): void;
  /** Checks what applies only to new objects. */
  validateCreate?(object: ApiObject, errors: FieldErrors): void;
  /** Checks changes, except through subresources. */
  validateUpdate?(object: ApiObject, old: ApiObject, errors: FieldErrors): void;
  /** Checks a write through `status`. */
  validateStatus?(object: ApiObject, old: ApiObject, errors: FieldErrors): void;
  /** Checks an object of any write, after all others. */
  validateWrite?(
    object: ApiObject,
    old: ApiObject | undefined,
    errors: FieldErrors,
    write: StrategyWrite,
  ): void;
  /** Checks whether the server can grant requested values to an otherwise valid object. */
  validateGrant?(
    object: ApiObject,
    old: ApiObject | undefined,
    errors: FieldErrors,
    server: StrategyServer,
  ): void;
  /** Returns warnings about an accepted object, except for writes through subresources. */
  warnings?(object: ApiObject, old: ApiObject | undefined): string[];
  /** Returns warnings about an accepted object of any write. */
  writeWarnings?(object: ApiObject, old: ApiObject | undefined, server: StrategyServer): string[];

  /** Returns an object as it is stored when its deletion is requested, before finalizers of the policy are added. */
  prepareDelete?(object: ApiObject, server: StrategyServer): ApiObject;
  /** @throws {StatusError} when the object of this name can't be deleted. */
  assertDeletable?(name: string): void;
  /** Marks an object as being deleted. Default: sets the deletion time and grace period. */
  beginDelete?(object: ApiObject, now: string): ApiObject;
  /** Reacts after an object was stored as being deleted. */
  afterDeletionBegan?(name: string, server: StrategyServer): void;
  /** Returns the grace period in seconds. Default: 0. */
  gracePeriod?(object: ApiObject, options: StrategyDelete): number;
  /** Returns further finalizers that keep a deleted object. */
  finalizers?(object: ApiObject): readonly string[];
  /** Returns warnings for a delete. */
  deleteWarnings?(options: StrategyDelete): string[];
}

/** Field selectors of a kind (its `AddFieldLabelConversionFunc`). */
export interface FieldSelectors {
  /** Fields in addition to `metadata.name` and `metadata.namespace`. */
  readonly paths: readonly string[];
  /** `false` when `metadata.namespace` can't be selected. Default true. */
  readonly namespaced?: false;
  /** Values of fields that objects may omit. Default: the empty string. */
  readonly zeros?: Readonly<Record<string, string>>;
  /** Reads a field that has another path than its name; `undefined` for all others. */
  read?(object: ApiObject, field: string): unknown;
  /** Returns the error message for an unsupported field. Default: that the label is not supported. */
  unknownField?(field: string, apiVersion: string): string;
}

/** Conversion of a built-in kind between its versions. */
export interface KindVersions {
  /** apiVersion in which objects are stored, whichever they were written in. */
  readonly stored: string;
  /** Converts an object to another version. */
  convert(object: ApiObject, apiVersion: string): ApiObject;
}

/** Reason why the objects of a kind have no effect on this server. */
export interface IdleReason {
  /** Text to follow "this embedded API server". */
  readonly why: string;
  /** Text for the documentation that describes which objects have no effect. Default: all. */
  readonly note?: string;
  /** Returns true for objects without effect. Default: all. */
  readonly only?: (object: ApiObject) => boolean;
}
