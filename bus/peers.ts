/** Number of failures in a row after which calls leave a node. */
const FAILURES_MAX = 3;
/** Time for which they leave it. Then one call at a time tries it, until one succeeds. */
const OUT_MS = 2_000;
/** Silence in milliseconds after which a node that owes an answer is asked whether it lives. */
const SILENT_MS = 400;
/** Time that it has for its answer, until it counts as hung. */
const ANSWER_MS = 800;
/** Interval between two looks at the nodes that owe an answer (`Peers.look`). */
export const LOOK_MS = 250;

/** Another node, as this process has seen it. */
interface Peer {
  /** Number of calls to it that are under way. */
  calls: number;
  heardAt: number;
  /** When it was asked for a sign of life that has not come yet. */
  askedAt: number | undefined;
  isHung: boolean;
  /** Number of calls that have failed since the last one that succeeded. */
  failures: number;
  outUntil: number;
}

/**
 * The other nodes as the calls of this process find them: how many calls each has to answer, and which of them hang or
 * fail. The registry tells neither: it names a node for as long as its heartbeats come, and for 15 s longer.
 * docs/decisions/0020-nodes-that-hang.md
 */
export interface Peers {
  begun(nodeID: string): void;
  ended(nodeID: string, hasFailed: boolean): void;
  /** Notes that a packet of the node has come. */
  heard(nodeID: string): void;
  forget(nodeID: string): void;
  callsTo(nodeID: string): number;
  /** Whether a call may go to the node, as long as another node offers the same. */
  takesCalls(nodeID: string): boolean;
  /** Number of nodes that get no calls, or only trials. */
  out(): number;
  /** The nodes that are to be asked for a sign of life now, and those that are found to hang just now. */
  look(): { ask: string[]; hung: string[] };
}

/** @param now the time in milliseconds, of a clock that never steps back */
export function createPeers(now: () => number = () => performance.now()): Peers {
  const peers = new Map<string, Peer>();
  let lookedAt = now();

  function peerOf(nodeID: string): Peer {
    let peer = peers.get(nodeID);
    if (!peer) {
      peer = { calls: 0, heardAt: now(), askedAt: undefined, isHung: false, failures: 0, outUntil: 0 };
      peers.set(nodeID, peer);
    }
    return peer;
  }

  /** A process that was held up itself has not heard what others have said meanwhile. */
  function wasHeldUp(): boolean {
    const late = now() - lookedAt > 2 * LOOK_MS;
    lookedAt = now();
    return late;
  }

  return {
    begun(nodeID) {
      peerOf(nodeID).calls += 1;
    },
    ended(nodeID, hasFailed) {
      const peer = peerOf(nodeID);
      peer.calls = Math.max(0, peer.calls - 1);
      peer.failures = hasFailed ? peer.failures + 1 : 0;
      if (peer.failures >= FAILURES_MAX) peer.outUntil = now() + OUT_MS;
    },
    heard(nodeID) {
      const peer = peers.get(nodeID);
      if (!peer) return;
      peer.heardAt = now();
      peer.askedAt = undefined;
      peer.isHung = false;
    },
    forget: (nodeID) => void peers.delete(nodeID),
    callsTo: (nodeID) => peers.get(nodeID)?.calls ?? 0,
    takesCalls(nodeID) {
      const peer = peers.get(nodeID);
      if (!peer) return true;
      if (peer.isHung) return false;
      return peer.failures < FAILURES_MAX || (peer.calls === 0 && now() >= peer.outUntil);
    },
    out: () => [...peers.values()].filter(({ isHung, failures }) => isHung || failures >= FAILURES_MAX).length,
    look() {
      const isLate = wasHeldUp();
      const ask: string[] = [];
      const hung: string[] = [];
      for (const [nodeID, peer] of peers) {
        if (isLate && peer.askedAt !== undefined) peer.askedAt = now();
        const found = judge(peer, now());
        if (found === "hung") hung.push(nodeID);
        if (found !== "fine") ask.push(nodeID);
      }
      return { ask, hung };
    },
  };
}

/** Looks at one node, and notes when it is asked and whether it hangs. */
function judge(peer: Peer, now: number): "fine" | "asked" | "hung" {
  if (peer.calls === 0 && !peer.isHung) {
    peer.askedAt = undefined;
    return "fine";
  }
  if (peer.askedAt === undefined) {
    if (now - peer.heardAt < SILENT_MS) return "fine";
    peer.askedAt = now;
    return "asked";
  }
  if (now - peer.askedAt < ANSWER_MS) return "fine";
  const wasHung = peer.isHung;
  peer.askedAt = now;
  peer.isHung = true;
  return wasHung ? "asked" : "hung";
}
