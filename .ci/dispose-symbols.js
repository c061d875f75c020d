// Symbols of explicit resource management as the compiled `using` looks for them. Node 20 and 22 define them in their main
// context alone: in a VM context (Jest, Vitest's VM pools) a method `[Symbol.dispose]` would be named "undefined".
const { dispose, asyncDispose } = Symbol;

export const disposeSymbol = dispose ?? Symbol.for("Symbol.dispose");
export const asyncDisposeSymbol = asyncDispose ?? Symbol.for("Symbol.asyncDispose");
