import { lazyCode } from "../../time/lazy-code.js";

/** The package that evaluates policies, with CEL. */
export type PolicyPackage = typeof import("@typekube/policy");

/** Returns the package that evaluates policies and match conditions. Ends the calling step if it is not loaded yet. */
export const policyPackage: () => PolicyPackage = lazyCode(() => import("@typekube/policy"));
