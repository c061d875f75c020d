/** Namespace of the ConfigMaps that count; a server has some of its own. */
export const benchNamespace = "bench";

/** Characters of the data of a ConfigMap that has 1 kB as a whole, without managedFields. */
const dataCharacters = 700;

/** Returns the name of a ConfigMap. */
export function configMapName(index: number): string {
  return `map-${index}`;
}

/** Returns the data of a ConfigMap: different in each, and changed by a revision. */
export function configMapData(index: number, revision: number): Record<string, string> {
  const text = `${index.toString(36)}-`.repeat(dataCharacters);
  return { revision: String(revision), text: text.slice(0, dataCharacters) };
}

/** Returns the index of a ConfigMap by its name. */
export function indexOfConfigMap(name: string): number {
  return Number(name.slice(name.indexOf("-") + 1));
}
