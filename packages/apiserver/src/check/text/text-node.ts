/** A value in a text, with its offsets. The end is exclusive. */
export type TextNode = TextList | TextMapping | TextScalar;

/** A list in a text. */
export interface TextList {
  readonly form: "list";
  readonly start: number;
  end: number;
  readonly items: TextNode[];
}

/** A mapping in a text. */
export interface TextMapping {
  readonly form: "mapping";
  readonly start: number;
  end: number;
  /** Entries by key. A duplicate key has its last entry, as in the value. */
  readonly entries: Map<string, TextEntry>;
  /** Values that another entry of the same key replaces. They are in the text, but not in the value. */
  readonly replaced: { readonly key: string; readonly value: TextNode }[];
}

/** A scalar in a text. */
export interface TextScalar {
  readonly form: "scalar";
  readonly start: number;
  readonly end: number;
  /** `true` for a block scalar, whose text begins in the line after its indicator. */
  readonly isBlock: boolean;
  /** `true` for a quoted or block scalar, which is always a string. */
  readonly isText: boolean;
  readonly text: string;
}

/** A key of a mapping and its value. */
export interface TextEntry {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly value: TextNode;
}
