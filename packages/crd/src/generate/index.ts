/**
 * Types and descriptors generated from CustomResourceDefinitions and from OpenAPI documents of clusters.
 *
 * @module @typekube/crd/generate
 */

export { compareKinds, type SchemaChange } from "./compare-kinds.js";
export { type Generated, type GenerateOptions, generate } from "./generate.js";
export type {
  ColumnSource,
  KindSource,
  ScaleSource,
  SourceProblem,
  SourcesRead,
  SubresourceSource,
} from "./source/kind-source.js";
export { type ReadClusterOptions, readCluster } from "./source/read-cluster.js";
export { type DefinitionText, readDefinitions } from "./source/read-definitions.js";
