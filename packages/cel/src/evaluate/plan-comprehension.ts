import { CelFailure, noSuchOverload } from "../values/cel-failure.js";
import { CelList } from "../values/cel-list.js";
import { CelMap } from "../values/cel-map.js";
import type { CelValue } from "../values/cel-value.js";
import { type Evaluate, type Frame, type Planned, planned } from "./frame.js";
import { goTypeOf } from "./go-type-of.js";
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

/** Returns the loop over the elements of a list or the keys of a map, by their number, since iterators are slower. */
function iterationOf(loop: PlannedLoop): Iterate {
  const { variableSlot, secondSlot } = loop;
  const advance = advanceOf(loop);
  const overList = (frame: Frame, list: CelList): void => {
    const { size } = list;
    const { slots } = frame;
    const elementSlot = secondSlot ?? variableSlot;
    for (let index = 0; index < size; index += 1) {
      if (secondSlot !== undefined) {
        slots[variableSlot] = index;
      }
      slots[elementSlot] = list.at(index);
      if (!advance(frame)) {
        return;
      }
    }
  };
  const overMap = (frame: Frame, map: CelMap): void => {
    for (const key of map.keys()) {
      frame.slots[variableSlot] = key;
      if (secondSlot !== undefined) {
        frame.slots[secondSlot] = map.find(key) ?? noSuchOverload();
      }
      if (!advance(frame)) {
        return;
      }
    }
  };
  return (frame, range) => {
    if (range instanceof CelList) {
      overList(frame, range);
    } else if (range instanceof CelMap) {
      overMap(frame, range);
    } else {
      return notIterable(range, secondSlot !== undefined);
    }
    return undefined;
  };
}

function notIterable(range: CelValue, two: boolean): CelFailure {
  return new CelFailure(
    two
      ? `unsupported comprehension range type: ${goTypeOf(range)}`
      : `got '${goTypeOf(range)}', expected iterable type`,
  );
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
