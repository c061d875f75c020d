/** Thrown for a selector that cannot be read, with apimachinery's message. */
export class SelectorProblem extends Error {
  override readonly name = "SelectorProblem";
}
