// What the command `typekube serve` runs

export type { ServeWorld } from "./serve.js";
export { serve } from "./serve.js";
