export { compileRe2, type Re2Pattern, type Re2Problem } from "./re2-pattern.js";
