/** Exit codes of `typekube generate`. */
export const exit = { done: 0, failed: 1, usage: 2, unreachable: 3 } as const;
