import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "@jest/globals";
import { addressReader } from "../../../../services/gateway/identity/address.ts";

/** A request as far as its address goes: one line of X-Forwarded-For for each text. */
function requestFrom(remoteAddress: string, ...forwarded: string[]): IncomingMessage {
  const rawHeaders = forwarded.flatMap((line) => ["X-Forwarded-For", line]);
  return { socket: { remoteAddress }, rawHeaders } as unknown as IncomingMessage;
}

describe("the address of a client (docs/guides/limits.md#without-a-valid-key, docs/guides/growing.md#proxies)", () => {
  const unproxied = addressReader();
  const proxied = addressReader(["10.0.0.0/8", "fd00::/8", "192.0.2.7/32"]);

  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["::FFFF:CB00:7109", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["", ""],
  ])("%s counts as %s", (remote, expected) => {
    expect(unproxied(requestFrom(remote))).toBe(expected);
  });

  it("is that of the connection, unless it is a trusted proxy's", () => {
    expect(unproxied(requestFrom("10.0.0.1", "203.0.113.9"))).toBe("10.0.0.1");
    expect(proxied(requestFrom("203.0.113.1", "203.0.113.9"))).toBe("203.0.113.1");
  });

  it.each([
    [["203.0.113.9"], "203.0.113.9"],
    [["198.51.100.1, 203.0.113.9"], "203.0.113.9"],
    [["198.51.100.1", "203.0.113.9, 192.0.2.7 ,10.1.1.1"], "203.0.113.9"],
    [["203.0.113.9:4711"], "203.0.113.9"],
    [["[2001:db8:1:2::9]:4711"], "2001:db8:1:2::/64"],
    [["::ffff:203.0.113.9, fd00::1"], "203.0.113.9"],
    [["10.9.9.9, 10.1.1.1"], "10.9.9.9"],
    [["203.0.113.9, unknown"], "10.0.0.1"],
    [["203.0.113.9, 300.1.1.1, 10.1.1.1"], "10.1.1.1"],
    [[""], "10.0.0.1"],
    [[], "10.0.0.1"],
  ])("behind trusted proxies %j is %s", (forwarded, expected) => {
    expect(proxied(requestFrom("10.0.0.1", ...forwarded))).toBe(expected);
    expect(proxied(requestFrom("::ffff:10.0.0.1", ...forwarded))).toBe(expected);
  });
});
