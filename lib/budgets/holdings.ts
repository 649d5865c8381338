import type { Budget } from "./budget.ts";
import { type GiveBack, takeOf } from "./take.ts";

/**
 * What somebody holds of budgets. It is given back all at once and by nobody's hand: when the work ends that it was opened for
 * (`holdWhile`), or when a stream closes (`holdUntilClosed`). So there is no path on which it could be forgotten.
 */
export interface Holdings {
  /**
   * Takes so much more of a budget, for this tenant.
   * @throws ApiError the refusal of the budget, when there is too little left; Error when all is over, and nothing would give it back
   */
  take(budget: Budget, tenant: string, amount?: number): void;
}

interface Opened {
  holdings: Holdings;
  end(): void;
}

function openHoldings(): Opened {
  const held: GiveBack[] = [];
  let isOver = false;
  return {
    holdings: {
      take(budget, tenant, amount = 1) {
        if (isOver) throw new Error("What this was held for is over, and nothing would give it back.");
        held.push(takeOf(budget, tenant, amount));
      },
    },
    end() {
      isOver = true;
      for (const giveBack of held.splice(0)) giveBack();
    },
  };
}

/** Runs work, and gives back what it has taken when it has ended: with a result, with an error, or with a throw before its first wait. */
export async function holdWhile<Result>(work: (holdings: Holdings) => Promise<Result>): Promise<Result> {
  const { holdings, end } = openHoldings();
  try {
    return await work(holdings);
  } finally {
    end();
  }
}

/** A stream, a socket or the answer to a request, as far as it closes. */
interface Closing {
  readonly closed: boolean;
  once(event: "close", listener: () => void): unknown;
}

/** What is to be ended when a stream closes, by one listener for all of it: one each would be warned of as a leak. */
const endings = new WeakMap<Closing, Set<() => void>>();

/**
 * Takes so much of a budget until the first of these streams closes. There may be several, because the answers that wait behind
 * another one on a socket do not learn that it has closed. Nothing is taken when one of them is closed already.
 * @throws ApiError the refusal of the budget
 */
export function holdUntilClosed(streams: readonly Closing[], budget: Budget, tenant: string, amount: number): void {
  if (streams.some(({ closed }) => closed)) return;
  const { holdings, end } = openHoldings();
  holdings.take(budget, tenant, amount);
  const ended = () => {
    for (const stream of streams) endings.get(stream)?.delete(ended);
    end();
  };
  for (const stream of streams) endingsOf(stream).add(ended);
}

function endingsOf(stream: Closing): Set<() => void> {
  const known = endings.get(stream);
  if (known) return known;
  const ofStream = new Set<() => void>();
  endings.set(stream, ofStream);
  stream.once("close", () => {
    for (const end of [...ofStream]) end();
  });
  return ofStream;
}
