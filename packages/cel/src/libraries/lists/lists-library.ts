import type { CelLibrary } from "../../functions/library.js";
import { includes, indexOf, lastIndexOf } from "./find-element.js";
import { isSorted, max, min } from "./order.js";
import { sum } from "./sum.js";

const functions = [isSorted, sum, max, min, indexOf, lastIndexOf];

/** Kubernetes' functions of lists, until 1.36. */
export const listsLibrary0: CelLibrary = { name: "kubernetes.lists", functions };

/** Kubernetes' functions of lists from 1.37 on. */
export const listsLibrary1: CelLibrary = {
  name: "kubernetes.lists",
  functions: [...functions, includes],
};
