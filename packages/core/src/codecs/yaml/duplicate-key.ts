/**
 * Called for a key that occurs twice in one mapping, of which the last one counts. A file of its own: whoever imports this type must
 * not need the types of js-yaml, which need TypeScript 5.7.
 *
 * @param offset - of the second key.
 */
export type DuplicateKey = (key: string, offset: number) => void;
