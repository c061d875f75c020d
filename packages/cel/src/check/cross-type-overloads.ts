const numbers = ["int64", "uint64", "double"];
const relations = ["less", "less_equals", "greater", "greater_equals"];

/** Signatures that compare numbers of different types, for example "less_int64_double". */
export const crossTypeOverloads: ReadonlySet<string> = new Set(
  relations.flatMap((relation) =>
    numbers.flatMap((left) =>
      numbers.filter((right) => right !== left).map((right) => `${relation}_${left}_${right}`),
    ),
  ),
);
