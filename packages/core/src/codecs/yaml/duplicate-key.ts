/**
 * Called for a key that occurs twice in one mapping; the last value counts. In a file of its own, so that importing
 * this type does not need the types of js-yaml, which require TypeScript 5.7.
 *
 * @param offset - position of the second key.
 */
export type DuplicateKey = (key: string, offset: number) => void;
