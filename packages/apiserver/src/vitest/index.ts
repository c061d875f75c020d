// Tests that have a server each

export type { ApiFixtures, ApiTestOptions } from "./api-test.js";
export { apiTest } from "./api-test.js";

// What `expect(api)` can say

export type { RightsUsed, RoleLike } from "../control/rights-used.js";
export { rightsUsed } from "../control/rights-used.js";
export type { RequestBudget, RequestMatchers, RequestPattern } from "./request-matchers.js";
export { addRequestMatchers } from "./request-matchers.js";
