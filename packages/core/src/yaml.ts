// For libraries that have the parser already and cannot wait: `@typekube/core/yaml`

export { decodeYamlWith, type YamlOptions } from "./codecs/yaml/decode.js";
