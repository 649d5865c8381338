import { describe, expect, it } from "@jest/globals";
import { readTraceContext, traceIdFor, traceIdOf, unrecorded } from "../../../base/tracing/trace-context.ts";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN_ID = "00f067aa0ba902b7";
const RIGHT = `00-${TRACE_ID}-${SPAN_ID}-01`;

const read = (parents: string[], states: string[] = []) => readTraceContext(parents, () => states);

// The rules of https://www.w3.org/TR/trace-context/, which docs/guides/monitoring.md#traces names.
describe("The trace context of a request", () => {
  it("is that of its headers", () => {
    expect(read([RIGHT], ["acme=1,tenant@other=a/b:c"])).toEqual({
      traceparent: RIGHT,
      tracestate: "acme=1,tenant@other=a/b:c",
    });
    expect(read([RIGHT])).toEqual({ traceparent: RIGHT });
    expect(traceIdOf({ traceparent: RIGHT })).toBe(TRACE_ID);
  });

  it.each([
    ["none", []],
    ["two of them", [RIGHT, RIGHT]],
    ["an empty one", [""]],
    ["a trace id of zeros", [`00-${"0".repeat(32)}-${SPAN_ID}-01`]],
    ["a span id of zeros", [`00-${TRACE_ID}-${"0".repeat(16)}-01`]],
    ["capital letters", [RIGHT.toUpperCase()]],
    ["version ff", [`ff${RIGHT.slice(2)}`]],
    ["more behind the flags of version 00", [`${RIGHT}-more`]],
    ["more behind the flags of another version, without a dash", [`cc${RIGHT.slice(2)}more`]],
    ["a short trace id", [`00-${TRACE_ID.slice(1)}-${SPAN_ID}-01`]],
    ["flags of one digit", [RIGHT.slice(0, -1)]],
    ["blanks around it", [` ${RIGHT}`]],
    ["a line break", [`${RIGHT}\n`]],
  ])("is ignored with %s, and its tracestate too", (_, parents) => {
    expect(read(parents, ["acme=1"])).toBeUndefined();
  });

  it("of a later version counts as far as this one knows it", () => {
    expect(read([`cc-${TRACE_ID}-${SPAN_ID}-01-what-else`])).toEqual({ traceparent: RIGHT });
  });

  it("keeps the flags that are defined, and no others", () => {
    expect(read([`00-${TRACE_ID}-${SPAN_ID}-ff`])).toEqual({ traceparent: `00-${TRACE_ID}-${SPAN_ID}-03` });
    expect(read([`00-${TRACE_ID}-${SPAN_ID}-00`])).toEqual({ traceparent: `00-${TRACE_ID}-${SPAN_ID}-00` });
  });

  it("joins the lines of tracestate, and leaves out empty members and blanks", () => {
    expect(read([RIGHT], ["a=1 , b=2,", "c=3"])?.tracestate).toBe("a=1,b=2,c=3");
  });

  it.each([
    ["is empty", [""]],
    ["has no value", ["a"]],
    ["has an empty value", ["a="]],
    ["has a key twice", ["a=1,a=2"]],
    ["has a key in capital letters", ["A=1"]],
    ["has an equals sign in a value", ["a=b=c"]],
    ["has more than 32 members", [Array.from({ length: 33 }, (_, i) => `a${i}=1`).join(",")]],
    ["is too long", [Array.from({ length: 5 }, (_, i) => `a${i}=${"x".repeat(250)}`).join(",")]],
  ])("goes without a tracestate that %s", (_, states) => {
    expect(read([RIGHT], states)).toEqual({ traceparent: RIGHT });
  });

  it("takes a tracestate of 512 characters, as the recommendation asks", () => {
    const state = `a=${"x".repeat(255)},b=${"y".repeat(252)}`;
    expect(read([RIGHT], [state])?.tracestate).toBe(state);
  });
});

it("A trace that is not recorded here has the id of a uuid, and a new span id each time", () => {
  const traceId = traceIdFor("0192f0c1-0000-7000-8000-000000000001");
  const [one, other] = [unrecorded(traceId), unrecorded(traceId)];
  expect(one.traceparent).toMatch(/^00-0192f0c1000070008000000000000001-[0-9a-f]{16}-00$/);
  expect(read([one.traceparent])).toEqual(one);
  expect(other.traceparent).not.toBe(one.traceparent);
});
