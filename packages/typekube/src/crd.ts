/**
 * Custom resources defined once in TypeScript: type, descriptor, CustomResourceDefinition and checks.
 *
 * @module typekube/crd
 */

// Definitions

export type { ObjectOf } from "@typekube/client";
export {
  type Change,
  type CheckOptions,
  type CheckResult,
  type ClientOnly,
  type Column,
  type Comparison,
  type CustomObject,
  type CustomResource,
  type DefineOptions,
  type Descriptions,
  defineResource,
  loadRules,
  type NewCustomObject,
  type NewObjectOf,
  type ObjectSchema,
  type OtherVersion,
  type RawDefineOptions,
  type RawSubresources,
  type Rule,
  type RuleOptions,
  type ScalePathOptions,
  type SharedOptions,
  type SimulatedWrite,
  type Simulation,
  type StoredOf,
  type SubresourcesOf,
  type VersionOptions,
  type VersionParts,
  type WrittenOf,
} from "@typekube/crd";

// Schemas that zod does not have

export {
  atomic,
  embedded,
  goDuration,
  type IntOrStringOptions,
  intOrString,
  listMap,
  listSet,
  preserveUnknown,
  quantity,
} from "@typekube/crd";

// Installation

export {
  type InstalledResource,
  type InstallOptions,
  type InstallResult,
  install,
} from "@typekube/crd";
