/**
 * A fixture and matchers for vitest.
 *
 * @module @typekube/apiserver/vitest
 */

// Tests with their own server

export type { ApiFixtures, ApiTestOptions } from "./api-test.js";
export { apiTest } from "./api-test.js";

// Matchers for `expect(api)`

export type { RightsUsed, RoleLike } from "../access/rights-used.js";
export { rightsUsed } from "../access/rights-used.js";
export type { RequestBudget, RequestMatchers, RequestPattern } from "./request-matchers.js";
export { addRequestMatchers } from "./request-matchers.js";

// Matchers for what `controllerTest` returned

export type { ControllerMatchers, WriteBudget } from "./controller-matchers.js";
export { addControllerMatchers } from "./controller-matchers.js";

// Manifests

export type { ManifestMatchers } from "./manifest-matcher.js";
export { addManifestMatcher } from "./manifest-matcher.js";

// Validation rules of definitions

export type { RuleExpectation, RuleInput } from "./expect-rule.js";
export { expectRule } from "./expect-rule.js";
export type { ExpectRuleOptions, RuleEntry } from "./rule-subject.js";
