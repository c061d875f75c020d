import type { Exchange } from "./exchange.js";

/**
 * The exchanges under way, so that closing can end them.
 *
 * Not a `Set`: V8 gives a set whose members come and go a new table every few dozen of them, and the tables before point to it. Old ones that are
 * garbage keep what came later from being collected young: half of all exchanges, each with its response.
 */
export class ActiveExchanges implements Iterable<Exchange> {
  readonly #exchanges: Exchange[] = [];

  add(exchange: Exchange): void {
    exchange.place = this.#exchanges.push(exchange) - 1;
  }

  delete(exchange: Exchange): void {
    const last = this.#exchanges.pop();
    if (last !== undefined && last !== exchange) {
      this.#exchanges[exchange.place] = last;
      last.place = exchange.place;
    }
  }

  [Symbol.iterator](): Iterator<Exchange> {
    return [...this.#exchanges].values();
  }
}
