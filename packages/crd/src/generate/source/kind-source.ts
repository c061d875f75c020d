import type { Scope, Verb } from "@typekube/api";
import type { JsonObject } from "@typekube/core/internal";

/** A kind in one version, with its schema: all that its types are generated from. */
export interface KindSource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: Scope;
  readonly verbs: readonly Verb[];
  /** Subresources by name, each with the kind of its body. */
  readonly subresources: Readonly<Record<string, SubresourceSource>>;
  /** Schema of the objects, as the definition or the OpenAPI document has it. */
  readonly schema: JsonObject;
  /** Schemas that `$ref`s name, from an OpenAPI document. */
  readonly components?: Readonly<Record<string, JsonObject>> | undefined;
  /** Warning of the server for a deprecated version. */
  readonly deprecation?: string | undefined;
  /** JSONPaths that field selectors may name. */
  readonly selectableFields: readonly string[];
  /** Columns of `kubectl get`. */
  readonly columns: readonly ColumnSource[];
  /** JSONPaths of the scale subresource. */
  readonly scale?: ScaleSource | undefined;
  /** `false` for a version that servers do not serve. */
  readonly served: boolean;
  /** Place in a file, or the name of the cluster's document: for messages. */
  readonly origin: string;
}

/** A subresource: the kind of its body, and its verbs. */
export interface SubresourceSource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly verbs: readonly Verb[];
}

/** A printer column. */
export interface ColumnSource {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
}

/** The JSONPaths of a scale subresource. */
export interface ScaleSource {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string | undefined;
}

/** An input, or a part of one, from which nothing could be generated. */
export interface SourceProblem {
  /** File and line, such as `crds/widget.yaml:12`, or `cluster`. */
  readonly place: string;
  /** Sentence without the place. */
  readonly message: string;
}

/** Kinds that were read, and what could not be read. */
export interface SourcesRead {
  readonly sources: readonly KindSource[];
  readonly problems: readonly SourceProblem[];
  /** Number of documents that are not definitions, by kind. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Sentences about facts that are missing, although everything could be generated. */
  readonly notes: readonly string[];
}
