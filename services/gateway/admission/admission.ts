import { BODY_BYTES_MAX } from "../../../config/limits.ts";
import { type ApiError, unavailable } from "../../../lib/contract/errors.ts";
import type { Kind, Route } from "../operation/routes.ts";

/**
 * Requests of a kind that are under way in a gateway at once; one more is refused at once. So many may come in one rush.
 * Batches have fewer connections to wait for (lib/store/store.ts), which takes them longer.
 */
const AT_ONCE_MAX: Record<Kind, number> = { read: 200, list: 100, write: 200, batch: 220 };

/**
 * Requests of all kinds that are under way at once, those without a valid key or over a quota too: refusing them takes time
 * as well.
 */
const REQUESTS_MAX = 2000;

/** Bytes of all bodies that are being read or worked on; as objects they take several times as much. */
const BODY_BYTES_AT_ONCE_MAX = 12 * BODY_BYTES_MAX;

/**
 * The 503 of a request that finds no place. It is made once, because making an error with its stack costs as much as
 * sending it.
 */
export const FULL: ApiError = unavailable("The server has as many requests as it can serve at the moment. Try again.");

/** What one request holds of what a gateway can hold at once. Once it has left, it takes nothing any more. */
export interface Place {
  /**
   * Takes a place among the requests of the kind of this route, whose body is there.
   * @throws ApiError 503 when there is none
   */
  enter(route: Pick<Route, "kind">): void;
  /**
   * Takes room for bytes of the body.
   * @throws ApiError 503 when there is none
   */
  reserve(bytes: number): void;
  /** Gives everything back, when the request is over. */
  leave(): void;
}

/** How full a gateway is. */
export interface Admission {
  /** Whether there is no place for a request of this route, whoever sends it; undefined: one that leads nowhere. */
  isFull(route: Route | undefined): boolean;
  /** @throws ApiError 503 when too many requests are under way */
  arrive(): Place;
}

/**
 * Bounds what a gateway works on at once, so that more requests than it can serve do not slow down those that it serves:
 * what does not fit is refused at once. docs/guides/limits.md#under-load
 */
export function createAdmission(): Admission {
  const requests = createRoom(REQUESTS_MAX);
  const bodyBytes = createRoom(BODY_BYTES_AT_ONCE_MAX);
  const kinds: Record<Kind, Room> = {
    read: createRoom(AT_ONCE_MAX.read),
    list: createRoom(AT_ONCE_MAX.list),
    write: createRoom(AT_ONCE_MAX.write),
    batch: createRoom(AT_ONCE_MAX.batch),
  };

  function arrive(): Place {
    const held: GiveBack[] = [];
    let isOver = false;
    const hold = (room: Room, amount: number) => {
      // What is taken after `leave` would never be given back, and bytes go on arriving when a request was refused.
      if (isOver) throw new Error("The request is over and holds nothing any more.");
      held.push(room.take(amount));
    };
    hold(requests, 1);
    return {
      enter: (route) => hold(kinds[route.kind], 1),
      reserve: (bytes) => hold(bodyBytes, bytes),
      leave() {
        isOver = true;
        for (const giveBack of held.splice(0)) giveBack();
      },
    };
  }

  return {
    isFull: (route) => requests.isFull() || (route !== undefined && kinds[route.kind].isFull()),
    arrive,
  };
}

type GiveBack = () => void;

/** What there is a bounded amount of. */
interface Room {
  isFull(): boolean;
  /** @throws ApiError 503 when there is less left than `amount` */
  take(amount: number): GiveBack;
}

function createRoom(max: number): Room {
  let taken = 0;
  return {
    isFull: () => taken >= max,
    take(amount) {
      if (taken + amount > max) throw FULL;
      taken += amount;
      return () => {
        taken -= amount;
      };
    },
  };
}
