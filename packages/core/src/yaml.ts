// For libraries that have the parser already and cannot wait: `@typekube/core/yaml`

export { decodeYamlWith } from "./codecs/yaml/decode.js";
