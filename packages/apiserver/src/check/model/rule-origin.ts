/** The object and the field that hold the expression behind a finding. */
export interface RuleOrigin {
  readonly kind: "CustomResourceDefinition" | "ValidatingAdmissionPolicy";
  readonly name: string;
  /** Path of the expression; for a definition, below its version. */
  readonly field: string;
  /** Version of a definition. */
  readonly version?: string | undefined;
}
