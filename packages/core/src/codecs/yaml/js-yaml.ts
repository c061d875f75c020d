/** The parser's module. */
export type Yaml = typeof import("js-yaml");

let loaded: Promise<Yaml> | undefined;

/** The parser, loaded on first use: programs without YAML never load it. Loaded once: a file may have thousands of documents. */
export function loadYaml(): Promise<Yaml> {
  loaded ??= import("js-yaml");
  return loaded;
}
