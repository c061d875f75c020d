/**
 * Custom resources defined once in TypeScript: type, descriptor, CustomResourceDefinition and checks.
 *
 * @module typekube/crd
 */

export {};
