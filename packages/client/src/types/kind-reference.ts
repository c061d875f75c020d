/** Identifies a kind by apiVersion and kind. */
export interface KindReference {
  readonly apiVersion: string;
  readonly kind: string;
}
