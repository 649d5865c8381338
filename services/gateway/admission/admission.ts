import { type Budget, createBudget, type Reservations, reserveDuring } from "../../../base/budgets/budget.ts";
import { type ApiError, unavailable } from "../../../base/contract/errors.ts";
import { BODY_BYTES_MAX } from "../../../config/limits.ts";
import { AT_ONCE_MAX, REQUESTS_MAX, UPLOADS_MAX, WORKSPACES_AT_ONCE } from "../../../config/shares.ts";
import type { Kind, Route } from "../operation/routes.ts";

/** Bytes of all bodies that are being read or worked on. As objects they take several times as much. */
const BODY_BYTES_AT_ONCE_MAX = 8 * BODY_BYTES_MAX;

/**
 * The 503 of a request that finds no place. It is made once, because making an error with its stack costs as much as
 * sending it.
 */
export const FULL: ApiError = unavailable("The server is busy with as many requests as it can serve. Try again.");

/** Place of one request: its share of what a gateway holds at once. */
export interface RequestSlot {
  /**
   * Sets the workspace of the request as soon as it is known. From then on the request counts in the share of this
   * workspace.
   */
  belongTo(workspaceId: string): void;
  /**
   * Takes a place among the running requests of the kind of this route, whose body is complete.
   * @throws ApiError 503 when there is none
   */
  enter(route: Pick<Route, "kind">): void;
  /** True if there is no place among the uploads. */
  hasNoUpload(): boolean;
  /**
   * Waits until the client has sent its body. Meanwhile the request holds a place among the uploads, and none of those
   * that are under way: a client that sends nothing keeps out no request that could run.
   * @throws ApiError 503 when there is none
   */
  whileSending<Sent>(receive: () => Promise<Sent>): Promise<Sent>;
  /**
   * Takes room for bytes of the body.
   * @throws ApiError 503 when there is none
   */
  reserve(bytes: number): void;
}

/** Load of a gateway. */
export interface Admission {
  /**
   * True if there is no place for a request of this route, undefined for a path that leads nowhere.
   * @param tenant workspace that the key seems to belong to; empty if it is not known
   */
  isFull(route: Route | undefined, tenant: string): boolean;
  /**
   * Works on a request, which holds its place until the work has ended.
   * @throws ApiError 503 when too many requests are under way
   */
  serve<Result>(work: (place: RequestSlot) => Promise<Result>): Promise<Result>;
}

/**
 * Bounds what a gateway works on at once, so that more requests than it can serve do not slow down those that it
 * serves: what does not fit is refused at once. Of each bound a workspace has a share, so that none takes the places of
 * the others.
 * docs/guides/under-load.md
 */
export function createAdmission(): Admission {
  const requests = createBudget({ what: "requests", max: REQUESTS_MAX, ofOneMax: REQUESTS_MAX, refusal: FULL });
  const shared = { ofOneMax: "no more than is left", refusal: FULL } as const;
  const uploads = createBudget({ what: "uploads", max: UPLOADS_MAX, ...shared });
  const bodyBytes = createBudget({ what: "body_bytes", max: BODY_BYTES_AT_ONCE_MAX, ...shared });
  const kinds: Record<Kind, Budget> = {
    read: placesOf("read"),
    list: placesOf("list"),
    write: placesOf("write"),
    batch: placesOf("batch"),
  };

  return {
    isFull: (route, tenant) => requests.isFull("") || (route !== undefined && kinds[route.kind].isFull(tenant)),
    serve: (work) =>
      reserveDuring((holdings) => {
        holdings.take(requests, "");
        return work(placeWith(holdings, { requests, kinds, uploads, bodyBytes }));
      }),
  };
}

function placesOf(kind: Kind): Budget {
  const ofOneMax = AT_ONCE_MAX[kind];
  return createBudget({ what: `${kind}_requests`, max: WORKSPACES_AT_ONCE * ofOneMax, ofOneMax, refusal: FULL });
}

interface Budgets {
  requests: Budget;
  kinds: Record<Kind, Budget>;
  uploads: Budget;
  bodyBytes: Budget;
}

function placeWith(holdings: Reservations, { requests, kinds, uploads, bodyBytes }: Budgets): RequestSlot {
  let tenant = "";
  return {
    belongTo(workspaceId) {
      tenant = workspaceId;
    },
    enter: ({ kind }) => holdings.take(kinds[kind], tenant),
    hasNoUpload: () => uploads.isFull(tenant),
    whileSending: (receive) =>
      holdings.without(requests, () =>
        reserveDuring((ofUpload) => {
          ofUpload.take(uploads, tenant);
          return receive();
        }),
      ),
    reserve: (bytes) => holdings.take(bodyBytes, tenant, bytes),
  };
}
