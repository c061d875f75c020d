// Definitions

export type { Comparison } from "./compare/compare-definitions.js";
export type { Change } from "./compare/compare-schemas.js";
export type { AppliedCustomObject, AppliedOf } from "./define/applied-object.js";
export type { ConversionManifest, WebhookConversion } from "./define/conversion-manifest.js";
export type { AnyConverter, Converter, ConvertersOf, VersionObject } from "./define/converters.js";
export type { CustomObject, NewCustomObject, NewObjectOf } from "./define/custom-object.js";
export type {
  CustomResource,
  DefinitionManifest,
  SimulateOptions,
  Simulation,
} from "./define/custom-resource.js";
export {
  type DefineOptions,
  defineResource,
  type RawDefineOptions,
  type RawSubresources,
  type SubresourcesOf,
} from "./define/define-resource.js";
export type {
  Column,
  ObjectSchema,
  OtherVersion,
  ScalePathOptions,
  SharedOptions,
  VersionOptions,
  VersionParts,
} from "./define/definition-options.js";
export type { RightsOptions } from "./define/resource-rights.js";
export type { StoredOf, WrittenOf } from "./define/schema-values.js";
export type { ExamplesOptions } from "./examples/random-objects.js";
export type { CheckOptions, CheckResult, SimulatedWrite } from "./objects/simulate-write.js";
export type { Rule, RuleOptions } from "./rules/rule.js";
export { loadRules } from "./rules/rules-code.js";
export type { ClientOnly, Descriptions } from "./zod/conversion.js";

// Schemas that zod does not have

export { embedded, preserveUnknown } from "./helpers/embedded.js";
export type { ListMapKeys } from "./helpers/list-map-keys.js";
export { atomic, listMap, listSet } from "./helpers/lists.js";
export {
  goDuration,
  type IntOrStringOptions,
  intOrString,
  quantity,
} from "./helpers/scalars.js";

// Installation

export {
  type InstallableResource,
  type InstalledResource,
  type InstallOptions,
  install,
} from "./install/install.js";
export type { InstallResult } from "./install/write-definition.js";
