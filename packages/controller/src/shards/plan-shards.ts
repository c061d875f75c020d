import { readRecord } from "../election/lease-record.js";
import { assignShards } from "./assign-shards.js";
import type { LeaseBoard } from "./lease-board.js";
import {
  type LeaseNames,
  largestCount,
  layoutOf,
  layoutText,
  type ShardLayout,
} from "./shard-layout.js";

/** Knowledge and holdings of one replica. */
export interface ReplicaView {
  readonly identity: string;
  readonly layout: ShardLayout;
  readonly names: LeaseNames;
  readonly board: LeaseBoard;
  /** `true` while this replica may take shards: its membership is valid, and it does not leave. */
  readonly isMember: boolean;
  /** Returns whether this replica holds a shard. */
  isHeld(shard: number): boolean;
  /** Returns whether the Lease of a shard comes from a write of this replica. */
  isClaimed(shard: number): boolean;
}

/** Next actions of one replica. */
export interface ShardPlan {
  /** `true` to write the layout Lease: no replica works by another layout any more. */
  readonly setsLayout: boolean;
  /** Shards whose Leases are to be created, or freed of another layout. */
  readonly prepare: readonly number[];
  readonly take: readonly number[];
  /** Shards that others should hold. */
  readonly giveUp: readonly number[];
  /** Milliseconds until time alone may change the plan. */
  readonly againMs: number;
}

const nothing = { setsLayout: false, prepare: [], take: [], giveUp: [] } as const;

/**
 * Decides what a replica has to do next.
 *
 * Layouts never overlap: a shard is taken only while the layout Lease names our layout and the Leases of all shards were
 * seen to carry it. The layout changes when nobody who works by the old one is left; then each Lease of a shard is
 * written once. A replica that tries to take a shard by the old layout fails after that, because the Lease has changed,
 * and one that has succeeded before is waited for.
 */
export function planShards(view: ReplicaView): ShardPlan {
  const { layout, names, board } = view;
  const own = layoutText(layout);
  const held = range(layout.count).filter((shard) => view.isHeld(shard));
  const layoutLease = board.get(names.layout)?.lease;
  const members = board.members();
  if (!board.isComplete) {
    return { ...nothing, againMs: Number.POSITIVE_INFINITY };
  }
  const shards = observedShards(view, Math.max(layout.count, largestCount(layoutLease)));
  const againMs = Math.min(
    ...shards.map(({ leftMs }) => leftMs).filter((leftMs) => leftMs > 0),
    ...[...members.keys()].map((id) => board.get(names.member(id))?.leftMs() ?? 0),
    Number.POSITIVE_INFINITY,
  );
  const inUse = layoutOf(layoutLease);
  if (inUse !== own) {
    const isInUse =
      [...members.values()].some((lease) => inUse !== "" && layoutOf(lease) === inUse) ||
      shards.some((shard) => shard.isForeign && shard.leftMs > 0);
    return { ...nothing, giveUp: held, setsLayout: view.isMember && !isInUse, againMs };
  }
  const colleagues = [...members]
    .filter(([id, lease]) => id !== view.identity && layoutOf(lease) === own)
    .map(([id]) => id);
  const team = [...colleagues, ...(view.isMember ? [view.identity] : [])].sort();
  const foreign = shards.filter(({ isForeign }) => isForeign);
  if (foreign.length > 0) {
    const prepare = foreign
      .filter(({ shard, leftMs }) => leftMs === 0 && team[shard % team.length] === view.identity)
      .map(({ shard }) => shard);
    return { ...nothing, prepare: view.isMember ? prepare : [], againMs };
  }
  const assigned = assignShards({
    count: layout.count,
    members: team,
    holderOf: (shard) => (view.isHeld(shard) ? view.identity : shards[shard]?.holder),
  });
  const isOurs = (shard: number) => assigned[shard] === view.identity;
  const isFree = (shard: number) => shards[shard]?.leftMs === 0;
  const take = range(layout.count).filter(
    (shard) =>
      view.isMember &&
      !view.isHeld(shard) &&
      // A shard whose write lost its response, or whose term ended, is taken back, and handed over in order.
      ((isOurs(shard) && isFree(shard)) || view.isClaimed(shard)),
  );
  const giveUp = held.filter((shard) => assigned[shard] !== undefined && !isOurs(shard));
  return { ...nothing, take, giveUp, againMs };
}

interface ObservedShard {
  readonly shard: number;
  /** `true` when the Lease is missing or carries another layout. */
  readonly isForeign: boolean;
  /** Valid holder; `undefined` for a free or expired Lease. */
  readonly holder: string | undefined;
  readonly leftMs: number;
}

function observedShards({ board, names, layout }: ReplicaView, count: number): ObservedShard[] {
  const own = layoutText(layout);
  return range(count).map((shard) => {
    const observation = board.get(names.shard(shard));
    const lease = observation?.lease;
    const leftMs = observation?.leftMs() ?? 0;
    const holder = lease === undefined || leftMs === 0 ? "" : readRecord(lease).holder;
    return {
      shard,
      isForeign: layoutOf(lease) !== own,
      holder: holder === "" ? undefined : holder,
      leftMs,
    };
  });
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
