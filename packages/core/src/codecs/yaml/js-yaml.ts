/** Module of the parser. */
export type Yaml = typeof import("js-yaml");

let loaded: Promise<Yaml> | undefined;

/**
 * Loads the parser on first use: programs without YAML never load it. Loads it only once, because a file may have
 * thousands of documents.
 */
export function loadYaml(): Promise<Yaml> {
  loaded ??= import("js-yaml");
  return loaded;
}
