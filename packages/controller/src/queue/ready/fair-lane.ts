import type { Entry } from "../entries/entry.js";
import { type Linked, LinkedList } from "../entries/linked-list.js";
import { FifoLane, type Lane } from "./lane.js";

/** How the keys of one priority are divided among groups. */
export interface Fairness {
  /** Returns the group of a key; always the same for one key. */
  readonly by: (key: string) => string;
  /** Returns the keys that a group may have per round: an integer of at least 1. Default 1. */
  readonly weight?: ((group: string) => number) | undefined;
}

/** A group's keys, and the rest of its turn. */
interface Turn extends Linked<Turn> {
  readonly group: string;
  readonly keys: FifoLane;
  readonly weight: number;
  /** Keys that the group may have before the next group's turn. */
  left: number;
}

/** A lane that serves groups in turn, and the keys of one group in the order in which they became ready. */
export class FairLane implements Lane {
  readonly #fairness: Fairness;
  /** The groups that have keys. */
  readonly #turns = new Map<string, Turn>();
  readonly #rotation = new LinkedList<Turn>();
  size = 0;

  constructor(fairness: Fairness) {
    this.#fairness = fairness;
  }

  push(entry: Entry): void {
    const group = this.#fairness.by(entry.key);
    const turn = this.#turns.get(group) ?? this.#newTurn(group);
    turn.keys.push(entry);
    this.size++;
  }

  putBack(entry: Entry): void {
    const group = this.#fairness.by(entry.key);
    const turn = this.#turns.get(group) ?? this.#newTurn(group);
    turn.keys.putBack(entry);
    this.size++;
    // It had its turn, and could not use it.
    this.#rotation.remove(turn);
    this.#rotation.insertAfter(undefined, turn);
  }

  shift(): Entry | undefined {
    const turn = this.#rotation.head;
    const entry = turn?.keys.shift();
    if (turn === undefined || entry === undefined) {
      return undefined;
    }
    this.size--;
    turn.left--;
    if (turn.keys.size === 0) {
      this.#endTurns(turn);
    } else if (turn.left <= 0) {
      turn.left = turn.weight;
      this.#rotation.remove(turn);
      this.#rotation.push(turn);
    }
    return entry;
  }

  remove(entry: Entry): void {
    const turn = this.#turns.get(this.#fairness.by(entry.key)) as Turn;
    turn.keys.remove(entry);
    this.size--;
    if (turn.keys.size === 0) {
      this.#endTurns(turn);
    }
  }

  #newTurn(group: string): Turn {
    const weight = Math.max(1, Math.floor(this.#fairness.weight?.(group) ?? 1) || 1);
    const turn: Turn = {
      group,
      keys: new FifoLane(),
      weight,
      left: weight,
      prev: undefined,
      next: undefined,
    };
    this.#turns.set(group, turn);
    this.#rotation.push(turn);
    return turn;
  }

  #endTurns(turn: Turn): void {
    this.#turns.delete(turn.group);
    this.#rotation.remove(turn);
  }
}
