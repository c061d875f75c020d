import { CelDouble } from "../values/cel-double.js";
import { CelFailure, noSuchOverload } from "../values/cel-failure.js";
import { CelList } from "../values/cel-list.js";
import { CelMap } from "../values/cel-map.js";
import { CelUint } from "../values/cel-uint.js";
import type { CelResult, CelValue } from "../values/cel-value.js";
import { typeOf } from "../values/type-of.js";
import { type Evaluate, type Frame, type Planned, planned } from "./frame.js";
import { GrowingList } from "./growing-list.js";

/** The parts of a loop, planned, and the slots of its variables. */
export interface PlannedLoop {
  readonly range: Planned;
  readonly initial: Planned;
  readonly condition: Planned;
  readonly step: Planned;
  readonly result: Planned;
  readonly accumulatorSlot: number;
  readonly variableSlot: number;
  /** Slot of the value beside the key or index; `undefined` for loops with one variable. */
  readonly secondSlot: number | undefined;
}

/** Plans a loop: the steps of a comprehension in order, as long as its condition is not false. */
export function planComprehension(loop: PlannedLoop): Planned {
  const { range, result, accumulatorSlot } = loop;
  const start = startOf(loop);
  const iterate = iterationOf(loop);
  return planned((frame) => {
    const over = range.run(frame);
    if (over instanceof CelFailure) {
      return over;
    }
    start(frame);
    const failure = iterate(frame, over);
    if (failure !== undefined) {
      return failure;
    }
    const value = result.run(frame);
    frame.slots[accumulatorSlot] = undefined;
    return value instanceof GrowingList ? value.finished() : value;
  });
}

/** Returns what sets the accumulator. An initial value with a cost is computed when it is read first. */
function startOf({ initial, accumulatorSlot }: PlannedLoop): (frame: Frame) => void {
  const { constant } = initial;
  if (constant === undefined) {
    return (frame) => {
      frame.slots[accumulatorSlot] = undefined;
    };
  }
  if (constant instanceof CelList && constant.size === 0) {
    return (frame) => {
      frame.slots[accumulatorSlot] = new GrowingList();
    };
  }
  return (frame) => {
    frame.slots[accumulatorSlot] = constant;
  };
}

type Iterate = (frame: Frame, range: CelValue) => CelFailure | undefined;

function iterationOf(loop: PlannedLoop): Iterate {
  const { variableSlot, secondSlot } = loop;
  const advance = advanceOf(loop);
  if (secondSlot === undefined) {
    return (frame, range) => {
      const values = valuesOf(range);
      if (values instanceof CelFailure) {
        return values;
      }
      for (const value of values) {
        frame.slots[variableSlot] = value;
        if (!advance(frame)) {
          break;
        }
      }
      return undefined;
    };
  }
  return (frame, range) => {
    const entries = entriesOf(range);
    if (entries instanceof CelFailure) {
      return entries;
    }
    for (const [key, value] of entries) {
      frame.slots[variableSlot] = key;
      frame.slots[secondSlot] = value;
      if (!advance(frame)) {
        break;
      }
    }
    return undefined;
  };
}

/** Returns what makes one step; false ends the loop. */
function advanceOf({ condition, step, accumulatorSlot }: PlannedLoop): (frame: Frame) => boolean {
  const run = step.run;
  if (condition.constant === true) {
    return (frame) => {
      frame.slots[accumulatorSlot] = run(frame);
      frame.step();
      return true;
    };
  }
  const goOn = condition.run;
  return (frame) => {
    if (goOn(frame) === false) {
      return false;
    }
    frame.slots[accumulatorSlot] = run(frame);
    frame.step();
    return true;
  };
}

/** Returns the elements of a list or the keys of a map. */
function valuesOf(range: CelValue): Iterable<CelValue> | CelFailure {
  if (range instanceof CelList) {
    return range;
  }
  return range instanceof CelMap
    ? range.keys()
    : new CelFailure(`got '${goTypeOf(range)}', expected iterable type`);
}

/** Returns the indexes and elements of a list or the entries of a map. */
function entriesOf(range: CelValue): Iterable<readonly [CelValue, CelResult]> | CelFailure {
  if (range instanceof CelList) {
    return indexed(range);
  }
  return range instanceof CelMap
    ? pairs(range)
    : new CelFailure(`unsupported comprehension range type: ${goTypeOf(range)}`);
}

function* indexed(list: CelList): IterableIterator<readonly [CelValue, CelValue]> {
  for (let index = 0; index < list.size; index += 1) {
    yield [index, list.at(index)];
  }
}

function* pairs(map: CelMap): IterableIterator<readonly [CelValue, CelResult]> {
  for (const key of map.keys()) {
    yield [key, map.find(key) ?? noSuchOverload()];
  }
}

/** Returns the name of a value's type in cel-go, which the message contains. */
function goTypeOf(value: CelValue): string {
  if (value instanceof CelDouble) {
    return "types.Double";
  }
  if (value instanceof CelUint) {
    return "types.Uint";
  }
  const { name, kind } = typeOf(value);
  const simple = kind === "duration" || kind === "timestamp" || kind === "null" ? kind : name;
  return `types.${simple.charAt(0).toUpperCase()}${simple.slice(1)}`;
}

/** Returns the read of an accumulator whose initial value is computed on the first read. */
export function lazyRead(slot: number, initial: Evaluate): Evaluate {
  return (frame) => {
    const known = frame.slots[slot];
    if (known !== undefined) {
      return known;
    }
    const value = initial(frame);
    frame.slots[slot] = value;
    return value;
  };
}
