/** Who makes attempts, one after the other, as places are free. */
export interface Asker {
  /** Whether its last attempt has failed. */
  isFailing(): boolean;
  /** Begins an attempt, and gives its end; null when none may begin at the moment. */
  begin(): Promise<void> | null;
}

export interface Places {
  /** Lets it begin attempts in its turn, until it has none. */
  ask(asker: Asker): void;
}

/**
 * Shares the places for attempts among all who ask: each gets one in its turn, so one with a hundred thousand deliveries waits as
 * long as one with a single one. Those whose last attempt has failed may hang for long, and have a part of the places only.
 */
export function createPlaces(all: number, forFailing: number): Places {
  const lines = { failing: new Set<Asker>(), others: new Set<Asker>() };
  let taken = 0;
  let takenByFailing = 0;

  function occupy(asker: Asker, done: Promise<void>, isFailing: boolean): void {
    taken += 1;
    if (isFailing) takenByFailing += 1;
    void done.finally(() => {
      taken -= 1;
      if (isFailing) takenByFailing -= 1;
      ask(asker);
    });
  }

  /** Serves the first of a line. It goes to the end of its line when it has begun something. */
  function serve(line: Set<Asker>): void {
    const [asker] = line;
    if (!asker) return;
    line.delete(asker);
    const isFailing = asker.isFailing();
    const done = asker.begin();
    if (!done) return;
    occupy(asker, done, isFailing);
    (isFailing ? lines.failing : lines.others).add(asker);
  }

  function fill(): void {
    while (taken < all) {
      if (lines.others.size > 0) serve(lines.others);
      else if (lines.failing.size > 0 && takenByFailing < forFailing) serve(lines.failing);
      else return;
    }
  }

  function ask(asker: Asker): void {
    const line = asker.isFailing() ? lines.failing : lines.others;
    if (!lines.failing.has(asker) && !lines.others.has(asker)) line.add(asker);
    fill();
  }

  return { ask };
}
