/** Thrown inside a decoder to stop it; never leaves the client. */
export class UnknownFieldSignal extends Error {
  constructor(message: string, fieldNumber: number) {
    super(`${message} has the unknown field ${fieldNumber}`);
  }
}

/** Stops a decoder that would lose a field. */
export function raiseUnknownField(message: string, fieldNumber: number): never {
  throw new UnknownFieldSignal(message, fieldNumber);
}
