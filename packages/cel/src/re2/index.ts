export { compileRe2 } from "./re2-pattern.js";
