// Implementation of the command `typekube serve`

export type { ServeIo } from "./serve.js";
export { serve } from "./serve.js";
