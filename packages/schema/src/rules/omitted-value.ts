/** Stands for the value of an object or a list, which messages leave out. */
export const omittedValue: unique symbol = Symbol("omitted value");
