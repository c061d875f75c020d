// For libraries that have loaded the parser and need a synchronous call: `@typekube/core/yaml`

export { decodeYamlWith, type YamlOptions } from "./codecs/yaml/decode.js";
export { type DocumentBytes, DocumentSplitter } from "./codecs/yaml/document-splitter.js";
export { parseYaml, yamlEvents } from "./codecs/yaml/parse.js";
export { scalarText } from "./codecs/yaml/scalar-text.js";
export { resolvePlain } from "./codecs/yaml/scalars.js";
