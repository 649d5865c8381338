import type { LookupAddress } from "node:dns";
import { describe, expect, it } from "@jest/globals";
import { createResolve } from "../../../../services/webhooks/sending/lookup.ts";

const FOUND: LookupAddress[] = [{ address: "127.0.0.2", family: 4 }];

/** A host whose searches last until the test ends them. */
function slowHost() {
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const byHost = (name: string) => {
    asked.push(name);
    return new Promise<LookupAddress[]>((resolve) => {
      ends.push(() => resolve(FOUND));
    });
  };
  return { asked, ends, byHost };
}

const turns = () => new Promise((resolve) => setTimeout(resolve, 0));
const never = new AbortController().signal;

describe("The search for a name (docs/decisions/0014-webhook-delivery.md)", () => {
  it("asks the host only for names that the DNS does not have", async () => {
    const { asked, byHost } = slowHost();
    expect(await createResolve({ byDns: async () => FOUND, byHost })("known.test", never)).toBe(FOUND);
    const failed = Object.assign(new Error("failed"), { code: "ESERVFAIL" });
    const failing = createResolve({ byDns: () => Promise.reject(failed), byHost });
    await expect(failing("failing.test", never)).rejects.toBe(failed);
    expect(asked).toEqual([]);
  });

  it("asks no DNS server for the names of the machine itself, in whatever spelling", async () => {
    const asked: string[] = [];
    const byDns = async (name: string) => {
      asked.push(name);
      return FOUND;
    };
    const resolve = createResolve({ byDns, byHost: async () => [{ address: "127.0.0.1", family: 4 }] });
    for (const name of ["localhost", "localhost.", "LOCALHOST", "app.localhost"])
      expect(await resolve(name, never)).toEqual([{ address: "127.0.0.1", family: 4 }]);
    expect(await resolve("notlocalhost", never)).toEqual(FOUND);
    expect(asked).toEqual(["notlocalhost"]);
  });

  it("has two at the host and fifty waiting at most, and the next one is busy", async () => {
    const { asked, ends, byHost } = slowHost();
    const resolve = createResolve({ byDns: async () => [], byHost });
    const all = Array.from({ length: 52 }, (_, i) => resolve(`name-${i}.test`, never));
    await turns();
    await expect(resolve("one-more.test", never)).rejects.toMatchObject({ code: "EBUSY" });
    expect(asked).toEqual(["name-0.test", "name-1.test"]);
    for (let i = 0; i < 52; i += 1) {
      ends[i]?.();
      await turns();
    }
    expect(await Promise.all(all)).toEqual(all.map(() => FOUND));
  });

  it("leaves the line with the end of its attempt", async () => {
    const { asked, ends, byHost } = slowHost();
    const resolve = createResolve({ byDns: async () => [], byHost });
    const first = [resolve("one.test", never), resolve("two.test", never)];
    const ending = new AbortController();
    const over = resolve("over.test", ending.signal);
    const next = resolve("next.test", never);
    await turns();
    ending.abort(new Error("over"));
    await expect(over).rejects.toThrow("over");
    ends[0]?.();
    await turns();
    expect(asked).toEqual(["one.test", "two.test", "next.test"]);
    for (const end of ends) end();
    expect(await Promise.all([...first, next])).toEqual([FOUND, FOUND, FOUND]);
  });
});
