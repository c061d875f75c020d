/**
 * Custom resources defined once in TypeScript: type, descriptor, CustomResourceDefinition and checks.
 *
 * @module typekube/crd
 */

// Definitions

export type { ObjectOf } from "@typekube/client";
export {
  type AnyConverter,
  type AppliedCustomObject,
  type AppliedOf,
  type Change,
  type CheckOptions,
  type CheckResult,
  type ClientOnly,
  type Column,
  type Comparison,
  type ConversionManifest,
  type Converter,
  type ConvertersOf,
  type CustomObject,
  type CustomResource,
  type DefineOptions,
  type DefinitionManifest,
  type Descriptions,
  defineResource,
  type ExamplesOptions,
  loadRules,
  type NewCustomObject,
  type NewObjectOf,
  type ObjectSchema,
  type OtherVersion,
  type RawDefineOptions,
  type RawSubresources,
  type RightsOptions,
  type Rule,
  type RuleOptions,
  type ScalePathOptions,
  type SharedOptions,
  type SimulatedWrite,
  type SimulateOptions,
  type Simulation,
  type StoredOf,
  type SubresourcesOf,
  type VersionObject,
  type VersionOptions,
  type VersionParts,
  type WebhookConversion,
  type WrittenOf,
} from "@typekube/crd";

// Schemas that zod does not have

export {
  atomic,
  embedded,
  goDuration,
  type IntOrStringOptions,
  intOrString,
  type ListMapKeys,
  listMap,
  listSet,
  preserveUnknown,
  quantity,
} from "@typekube/crd";

// Installation

export {
  type InstallableResource,
  type InstalledResource,
  type InstallOptions,
  type InstallResult,
  install,
} from "@typekube/crd";
