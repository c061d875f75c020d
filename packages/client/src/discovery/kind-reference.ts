/** The names that a resource is known by. */
export interface KindReference {
  readonly apiVersion: string;
  readonly kind: string;
}
