import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { newUuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import { createDefinitionsCache } from "../../../model/definitions/definitions-cache.ts";

const WORKSPACE = newUuid();

// The clock is ours, so that definitions take as long to read as it says.
beforeEach(() => void jest.useFakeTimers({ now: 0 }));
afterEach(() => void jest.useRealTimers());

/** A database with one workspace, whose definitions take so long to read. */
function scene({ takesMs = 5 } = {}) {
  let version = 1;
  let loads = 0;
  const load = (async () => {
    loads += 1;
    const texts = [String(version), "[]", "[]", "[]", "[]", "[]", "[]"];
    await new Promise((resolve) => setTimeout(resolve, takesMs));
    return [texts];
  }) as unknown as Query;
  const query = (async () => [{ version }]) as unknown as Query;
  const definitionsCache = createDefinitionsCache({ query, load });
  return {
    definitionsCache,
    change: () => {
      version += 1;
      return version;
    },
    loads: () => loads,
  };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe("DefinitionsCache (docs/guides/under-load.md#turns)", () => {
  it("are read once for all who wait for them", async () => {
    const { definitionsCache, loads } = scene();
    const waiting = Array.from({ length: 50 }, () => definitionsCache.kept(WORKSPACE));
    await pass(5);
    expect(new Set(await Promise.all(waiting)).size).toBe(1);
    expect(loads()).toBe(1);
  });

  it("are read once more for those who need what was changed after the reading began", async () => {
    const { definitionsCache, change, loads } = scene();
    const first = definitionsCache.kept(WORKSPACE);
    await pass(1);
    const changed = change();
    const later = Array.from({ length: 20 }, () => definitionsCache.atLeast(WORKSPACE, changed));
    await pass(20);
    expect((await first).version).toBe(1);
    for (const definitions of await Promise.all(later)) expect(definitions.version).toBe(2);
    expect(loads()).toBe(2);
  });

  it("that take long are read again only after three times as long, however often they change", async () => {
    const { definitionsCache, change, loads } = scene({ takesMs: 100 });
    void definitionsCache.kept(WORKSPACE);
    await pass(100);
    const wanted: Promise<unknown>[] = [];
    for (let i = 0; i < 100; i += 1) {
      wanted.push(definitionsCache.atLeast(WORKSPACE, change()));
      await pass(10);
    }
    // In a second there is time for one in 400 ms.
    expect(loads()).toBeLessThanOrEqual(4);
    await pass(1000);
    await Promise.all(wanted);
    expect((await definitionsCache.atLeast(WORKSPACE, 101)).version).toBe(101);
  });

  it("that are quick are read at once", async () => {
    const { definitionsCache, change, loads } = scene({ takesMs: 5 });
    for (let i = 0; i < 10; i += 1) {
      const changed = definitionsCache.atLeast(WORKSPACE, change());
      await pass(5);
      await changed;
    }
    expect(loads()).toBe(10);
  });
});
