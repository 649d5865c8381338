import { describe, expect, it } from "@jest/globals";
import { createAddressRules, literalAddressOf } from "../../../../services/webhooks/subscriptions/addresses.ts";

/** First and last addresses of the special ranges, as the registries of IANA have them, with what a reader is told. */
const SPECIAL: readonly (readonly [words: string, ...addresses: string[]])[] = [
  ["no address of a host", "0.0.0.0", "0.255.255.255", "::"],
  ["private", "10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255"],
  ["private", "fc00::", "fd00::1", "fd00:ec2::254", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["shared address space", "100.64.0.0", "100.100.100.200", "100.127.255.255"],
  ["loopback", "127.0.0.0", "127.0.0.1", "127.255.255.255", "::1"],
  ["link-local", "169.254.0.0", "169.254.169.254", "169.254.255.255", "fe80::", "febf:ffff::1", "fe80::1%lo"],
  ["reserved", "192.0.0.0", "192.0.0.192", "192.0.0.255", "192.0.2.0", "192.0.2.255", "192.88.99.0", "192.88.99.255"],
  ["reserved", "198.18.0.0", "198.19.255.255", "198.51.100.0", "198.51.100.255", "203.0.113.0", "203.0.113.255"],
  ["reserved", "240.0.0.0", "255.255.255.254"],
  ["AS112", "192.31.196.0", "192.31.196.255", "192.175.48.0", "192.175.48.255", "2620:4f:8000::1", "2001:4:112::1"],
  ["AMT", "192.52.193.0", "192.52.193.255", "2001:3::1"],
  ["multicast", "224.0.0.0", "239.255.255.255", "ff00::", "ff02::1", "ffff::1"],
  ["broadcast", "255.255.255.255"],
  ["cloud metadata", "168.63.129.16"],
  ["IPv4-mapped", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8", "::ffff:0:0"],
  ["IPv4-translated", "::ffff:0:127.0.0.1"],
  ["reserved", "::127.0.0.1", "::7f00:1", "::8.8.8.8", "::2"],
  ["NAT64", "64:ff9b::7f00:1", "64:ff9b::127.0.0.1", "64:ff9b:1::7f00:1", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  ["6to4", "2002:7f00:1::1", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["Teredo", "2001::", "2001:0:ffff::1"],
  ["benchmarking", "2001:2::1"],
  ["ORCHID", "2001:10::1", "2001:20::1", "2001:2f:ffff::1"],
  ["DRIP", "2001:30::1"],
  ["reserved", "2001:1::1", "2001:100::1", "2001:1ff::1", "2001:db8::1", "2001:db8:ffff::1", "3fff::1", "3fff:fff::1"],
  [
    "reserved",
    "3ffe::1",
    "64:ff9b:2::1",
    "100:0:0:1::1",
    "200::1",
    "1fff::1",
    "4000::1",
    "8000::1",
    "fbff::1",
    "fe00::1",
  ],
  ["segment routing", "5f00::1", "5f00:ffff::1"],
  ["discard", "100::", "100::ffff"],
  ["site-local", "fec0::1", "feff:ffff::1"],
];

/** Addresses of the public, those that stand right beside special ranges among them. */
const PUBLIC = [
  ...["1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255"],
  ...["128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0"],
  ...["192.31.195.255", "192.52.194.0", "192.88.98.255", "192.167.255.255", "192.169.0.0", "192.175.49.0"],
  ...["198.17.255.255", "198.20.0.0", "198.51.101.0", "203.0.114.0", "223.255.255.255", "168.63.129.17"],
  ...["2000::1", "2001:200::1", "2001:4860:4860::8888", "2001:db7::1", "2001:db9::1", "2003::1", "2606:4700::1111"],
  ...["2620:4f:8001::1", "2a00:1450::1", "3ffd::1", "3fff:1000::1"],
];

describe("Addresses of webhooks", () => {
  const rules = createAddressRules();

  it.each(SPECIAL)("are refused as %s", (words, ...addresses) => {
    const told = addresses.map((address) => [address, rules.refusalOf(address)]);
    expect(told).toEqual(addresses.map((address) => [address, words]));
  });

  it("of the public are taken, and those beside special ranges too", () => {
    expect(PUBLIC.filter((address) => rules.refusalOf(address) !== null)).toEqual([]);
  });

  it("are refused when they are none", () => {
    for (const text of ["", "localhost", "127.1", "2130706433", "0x7f.0.0.1", "8.8.8.8.", "[::1]", "8.8.8.8/32"])
      expect(rules.refusalOf(text)).toBe("no IP address");
  });

  it("that are refused otherwise can be opened, range by range", () => {
    const opened = createAddressRules(["127.0.0.2/32", "10.1.0.0/16", "fd00:1::/32"]);
    const taken = ["127.0.0.2", "10.1.2.3", "fd00:1::5"];
    expect(taken.map(opened.refusalOf)).toEqual([null, null, null]);
    const refused = ["127.0.0.1", "127.0.0.3", "10.2.0.0", "fd00:2::5", "::1", "169.254.169.254"];
    expect(refused.filter((address) => opened.refusalOf(address) === null)).toEqual([]);
  });

  it("that are IPv4-mapped are opened by what they map to, or by themselves", () => {
    expect(createAddressRules(["127.0.0.2/32"]).refusalOf("::ffff:127.0.0.2")).toBeNull();
    expect(createAddressRules(["::ffff:127.0.0.2/128"]).refusalOf("::ffff:7f00:2")).toBeNull();
    expect(createAddressRules(["::ffff:127.0.0.2/128"]).refusalOf("127.0.0.2")).toBe("loopback");
    expect(createAddressRules(["127.0.0.2/32"]).refusalOf("::ffff:127.0.0.1")).toBe("IPv4-mapped");
    expect(createAddressRules(["127.0.0.2/32"]).refusalOf("::127.0.0.2")).toBe("reserved");
  });

  it("are found in URLs, and names are not", () => {
    const literal = (host: string) => literalAddressOf(new URL(`http://${host}:8080/path`));
    expect(literal("[::1]")).toBe("::1");
    expect(literal("[::ffff:127.0.0.1]")).toBe("::ffff:7f00:1");
    expect(literal("127.0.0.1.")).toBe("127.0.0.1");
    expect(literal("127.0.0.1..")).toBe("127.0.0.1");
    expect(literal("0x7f.1")).toBe("127.0.0.1");
    for (const name of ["localhost", "example.com.", "127.0.0.1.example.com"]) expect(literal(name)).toBeNull();
  });
});
