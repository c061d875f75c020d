// Entry point "@typekube/core/internal/json": JSON values. It loads nothing else, unlike "@typekube/core/internal".

export {
  cloneJson,
  getOwn,
  getPath,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  stringsOf,
} from "./json-value.js";
export { setOwn } from "./own-property.js";
