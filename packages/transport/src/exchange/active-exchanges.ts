/** An exchange that closing the transport can end. */
export interface ActiveExchange {
  /** Index in the list, maintained by {@link ActiveExchanges}. */
  place: number;
  end(reason: unknown): void;
}

/**
 * The active exchanges, so that closing can end them.
 *
 * An array rather than a `Set`: when members come and go, V8 gives a set a new table every few dozen members, and old
 * tables point to new ones. Dead old tables keep later objects from being collected young: half of all exchanges, each
 * with its response.
 */
export class ActiveExchanges implements Iterable<ActiveExchange> {
  readonly #exchanges: ActiveExchange[] = [];

  add(exchange: ActiveExchange): void {
    exchange.place = this.#exchanges.push(exchange) - 1;
  }

  delete(exchange: ActiveExchange): void {
    const last = this.#exchanges.pop();
    if (last !== undefined && last !== exchange) {
      this.#exchanges[exchange.place] = last;
      last.place = exchange.place;
    }
  }

  [Symbol.iterator](): Iterator<ActiveExchange> {
    return [...this.#exchanges].values();
  }
}
