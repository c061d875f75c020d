/** Binds the keys of a list map to its schema; never present at run time. */
export declare const listMapKeys: unique symbol;

/** Part of a schema's type that names the keys of the items of a `listMap`. */
export interface ListMapKeys<Keys extends string> {
  readonly [listMapKeys]?: Keys;
}
