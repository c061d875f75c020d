/** The parser's module. */
export type Yaml = typeof import("js-yaml");

/** The parser, loaded on first use: programs without YAML never load it. */
export function loadYaml(): Promise<Yaml> {
  return import("js-yaml");
}
