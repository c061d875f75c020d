/** Raised inside a decoding to give it up; never leaves the client. */
export class UnknownFieldSignal extends Error {
  constructor(message: string, fieldNumber: number) {
    super(`${message} has the unknown field ${fieldNumber}`);
  }
}

/** Gives up a decoding that would lose a field. */
export function raiseUnknownField(message: string, fieldNumber: number): never {
  throw new UnknownFieldSignal(message, fieldNumber);
}
