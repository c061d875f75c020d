// Implementation of the command `typekube serve`

export type { ServeWorld } from "./serve.js";
export { serve } from "./serve.js";
