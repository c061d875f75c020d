/** Sets an own property of the object. A plain assignment to `__proto__` would change the prototype instead. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  } else {
    object[name] = value;
  }
}
