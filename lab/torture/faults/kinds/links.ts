import type { NetworkProxy } from "../../../harness/network-proxy.ts";
import { type FaultKind, GATEWAY, HALF_IS_WELL, PEERS, type Peer, WORKER } from "./kind.ts";

const SECONDS = 20;
const LATE_MS = 200;
const SLOW_MS = 1_000;
const LOST_SHARE = 0.05;
const CORRUPT_SHARE = 0.05;
const RESET_EVERY_MS = 500;

interface LinkKind {
  kind: string;
  about: string;
  /** Gives the timer of what goes on happening. */
  begin(proxy: NetworkProxy, random: () => number): NodeJS.Timeout | undefined;
  /** Nothing at all gets through in one direction or both, so the process can do nothing with its peer. */
  isCut?: boolean;
  stays?: boolean;
  corrupts?: boolean;
}

/** A fault of the connections between one process and one of its peers. */
const LINK_KINDS: LinkKind[] = [
  {
    kind: "black hole then reset",
    about: "nothing is refused and nothing answered; in the end all connections are reset",
    begin: (proxy) => void proxy.hang(),
    isCut: true,
  },
  {
    kind: "black hole never reset",
    about: "packets are lost both ways; in the end what was sent arrives late",
    begin: (proxy) => void proxy.stall("both"),
    isCut: true,
  },
  {
    kind: "half-open",
    about: "the connections that there are fall silent for ever, and new ones work",
    begin: (proxy) => void proxy.freeze(),
    stays: true,
  },
  { kind: "deaf", about: "answers are lost", begin: (proxy) => void proxy.stall("answers"), isCut: true },
  { kind: "mute", about: "requests are lost", begin: (proxy) => void proxy.stall("requests"), isCut: true },
  {
    kind: "refused",
    about: "connections end, and new ones are refused",
    begin: (proxy) => void proxy.cut(),
    isCut: true,
  },
  { kind: "200 ms", about: "answers come 200 ms later", begin: (proxy) => void proxy.slow(LATE_MS) },
  { kind: "slow", about: "answers come a second later, in two parts", begin: (proxy) => void proxy.slow(SLOW_MS) },
  {
    kind: "5 % reset",
    about: "in the place of one of twenty pieces of answers the connection is reset",
    begin: (proxy, random) => void proxy.lose(LOST_SHARE, random),
  },
  {
    kind: "corrupting",
    about: "a bit is flipped at the beginning of one of twenty pieces of answers",
    begin: (proxy, random) => void proxy.corrupt(CORRUPT_SHARE, random),
    corrupts: true,
  },
  {
    kind: "resetting",
    about: "all connections are reset, twice a second",
    begin: (proxy) => setInterval(() => proxy.reset(), RESET_EVERY_MS),
  },
];

/** Faults of the network between one process of two and NATS or PostgreSQL. */
export const LINK_FAULTS: FaultKind[] = LINK_KINDS.flatMap((link) =>
  [GATEWAY, WORKER].flatMap((name) => PEERS.map((peer) => faultOf(link, name, peer))),
);

function faultOf({ kind, about, begin, isCut, ...more }: LinkKind, name: string, peer: Peer): FaultKind {
  const target = `${name === GATEWAY ? "gateway" : "services"} and ${peer}`;
  return {
    stage: "one NATS",
    kind,
    target,
    about: `between one process and ${peer}: ${about}`,
    seconds: SECONDS,
    ...more,
    ...(isCut && { cutOff: [name] }),
    ...(isCut && name === WORKER && peer === "PostgreSQL" && { promised: HALF_IS_WELL }),
    begin({ ways, random }) {
      const proxy = ways.get(name)?.[peer];
      if (!proxy) throw new Error(`${name} has no way of its own to ${peer}.`);
      const again = begin(proxy, random);
      return async () => {
        clearInterval(again);
        await proxy.restore();
      };
    },
  };
}
