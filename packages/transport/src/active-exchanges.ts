/** An exchange, as far as it matters here. */
export interface ActiveExchange {
  /** Where it stands among the others; kept by {@link ActiveExchanges}. */
  place: number;
  end(reason: unknown): void;
}

/**
 * The exchanges under way, so that closing can end them.
 *
 * Not a `Set`: V8 gives a set whose members come and go a new table every few dozen of them, and the tables before point to it. Old ones that are
 * garbage keep what came later from being collected young: half of all exchanges, each with its response.
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
