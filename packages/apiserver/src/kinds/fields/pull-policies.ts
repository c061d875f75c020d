/** Values of the pull policy of an image. */
export const pullPolicies: readonly string[] = ["Always", "IfNotPresent", "Never"];
