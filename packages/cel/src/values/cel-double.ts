/** A double. The class tells it apart from an int: `1.0` and `1` have different types. */
export class CelDouble {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}
