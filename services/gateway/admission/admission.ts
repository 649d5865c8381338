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

/** What one request holds of what a gateway can hold at once. */
export interface Place {
  /**
   * Takes a place among the requests of the kind of this route, whose body is there.
   * @throws ApiError 503 when there is none
   */
  enter(route: Route): void;
  /**
   * Takes room for bytes of the body.
   * @throws ApiError 503 when there is none
   */
  reserve(bytes: number): void;
  /** Gives everything back; once, when the request is over. */
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
  const entered: Record<Kind, number> = { read: 0, list: 0, write: 0, batch: 0 };
  let requests = 0;
  let bodyBytes = 0;

  function arrive(): Place {
    if (requests >= REQUESTS_MAX) throw FULL;
    requests += 1;
    let kind: Kind | undefined;
    let held = 0;
    return {
      enter(route) {
        if (entered[route.kind] >= AT_ONCE_MAX[route.kind]) throw FULL;
        kind = route.kind;
        entered[kind] += 1;
      },
      reserve(bytes) {
        if (bodyBytes + bytes > BODY_BYTES_AT_ONCE_MAX) throw FULL;
        held += bytes;
        bodyBytes += bytes;
      },
      leave() {
        requests -= 1;
        bodyBytes -= held;
        if (kind) entered[kind] -= 1;
      },
    };
  }

  function isFull(route: Route | undefined): boolean {
    return requests >= REQUESTS_MAX || (route !== undefined && entered[route.kind] >= AT_ONCE_MAX[route.kind]);
  }

  return { isFull, arrive };
}
