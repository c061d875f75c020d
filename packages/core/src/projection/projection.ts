import { KubeError } from "../errors/kube-error.js";
import { readPath } from "./read-path.js";
import { contains, pathsOf, Selection, select } from "./selection.js";

/** Fields that every projection keeps: what identifies an object, its state, and its lifetime. */
export const identityFields: readonly string[] = [
  "apiVersion",
  "kind",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "metadata.resourceVersion",
  "metadata.creationTimestamp",
  "metadata.deletionTimestamp",
];

/** Projections that are kept for callers that read the same fields again. */
const maxKnown = 256;
const known = new Map<string, Projection>();
let nextId = 1;

/** The fields of an object that a read keeps. Equal fields give the same projection, so that tables are built once. */
export class Projection {
  /** Small number that identifies the projection. */
  readonly id: number = nextId++;
  /** Equal for projections that keep the same fields. */
  readonly key: string;
  /** Selection of the fields of an object. */
  readonly root: Selection;
  /** `true` unless a path keeps the metadata of objects as a whole. */
  readonly lacksMetadata: boolean;
  /** Selection of the fields of a watch event. */
  readonly event: Selection;
  /** Selection of the fields of a list. */
  readonly list: Selection;

  constructor(root: Selection, key: string) {
    this.root = root;
    const metadata = root.at("metadata");
    this.lacksMetadata = !metadata.whole;
    metadata.isMarked = this.lacksMetadata;
    root.isMarked = !this.lacksMetadata;
    this.key = key;
    this.event = new Selection();
    this.event.at("type").keepAll();
    this.event.fields.set("object", root);
    this.list = new Selection();
    for (const name of ["apiVersion", "kind", "metadata"]) {
      this.list.at(name).keepAll();
    }
    this.list.fields.set("items", root);
  }

  /** Returns whether this projection keeps everything that another one keeps. */
  contains(other: Projection): boolean {
    return contains(this.root, other.root);
  }
}

/**
 * Returns the projection that keeps some fields and {@link identityFields}.
 *
 * @param fields - paths: names with dots between them, and keys with other characters as `["key"]`. A list needs no
 * index: the rest of the path applies to each item. A path that ends at an object keeps all of it.
 * @throws {KubeError} `InvalidArgument` when one is not a path.
 */
export function projectionOf(fields: readonly string[]): Projection {
  const root = selectionOf(fields);
  const key = [...pathsOf(root)].join();
  let projection = known.get(key);
  // Deleted and set again, so that the least recently used one comes first.
  known.delete(key);
  projection ??= new Projection(root, key);
  known.set(key, projection);
  if (known.size > maxKnown) {
    known.delete(known.keys().next().value as string);
  }
  return projection;
}

/**
 * Returns the selection of some fields and {@link identityFields}.
 *
 * @param fields - paths as of {@link projectionOf}.
 * @throws {KubeError} `InvalidArgument` when one is not a path.
 */
export function selectionOf(fields: readonly string[]): Selection {
  if (!Array.isArray(fields)) {
    throw new KubeError("InvalidArgument", "`fields` must be an array of paths", {
      hint: 'for example ["metadata.labels", "spec.nodeName"]',
    });
  }
  const root = new Selection();
  selectFields(root, identityFields);
  selectFields(root, fields);
  return root;
}

/** Adds fields to the selection of an object. */
export function selectFields(root: Selection, fields: readonly string[]): void {
  for (const field of fields) {
    select(root, readPath(field));
  }
}
