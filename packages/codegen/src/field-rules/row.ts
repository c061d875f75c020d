/** Rules of the fields of one Go type, in upstream's tag grammar without `k8s:`. */
export type FieldRows = Readonly<Record<string, string | readonly string[]>>;

/** Rules that kube-apiserver checks in hand-written code, by Go type and field. */
export type RuleTable = Readonly<Record<string, FieldRows>>;

/** Returns the same rule for several fields, which white space separates. */
export function each(rule: string, fields: string): FieldRows {
  return Object.fromEntries(fields.split(/\s+/).map((field) => [field, rule]));
}
