/** A field that an update can't change. */
export interface ImmutableField {
  readonly path: string;
  /** Field name in errors. Default: its path. */
  readonly called?: string;
  /** Value shown in errors: the new value, or null where real servers show null. Default: the new value. */
  readonly shows?: "null";
  /** Error message. Default: that the field is immutable. */
  readonly why?: string;
  /** `true` when the field may be set if it was empty. */
  readonly onceSet?: boolean;
  /** `true` for an error of type Forbidden, which shows no value. */
  readonly forbidden?: boolean;
}
