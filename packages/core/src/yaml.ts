// For libraries that have loaded the parser and need a synchronous call: `@typekube/core/yaml`

export { decodeYamlWith, type YamlOptions } from "./codecs/yaml/decode.js";
