import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { validate, version } from "uuid";
import { madeAt, newUuid } from "../../../base/values/ids.ts";

describe("New ids", () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it("are uuids of version 7, each once, and ascend within a millisecond too", () => {
    const uuids = Array.from({ length: 10_000 }, newUuid);
    expect(new Set(uuids).size).toBe(uuids.length);
    expect(uuids.toSorted()).toEqual(uuids);
    expect(uuids.filter((uuid) => !validate(uuid) || version(uuid) !== 7)).toEqual([]);
  });

  it("tell the millisecond in which they were made, and share no random part", () => {
    const uuids = Array.from({ length: 1000 }, newUuid);
    const since = Date.now() - 60_000;
    expect(uuids.every((uuid) => Math.abs(madeAt(uuid).getTime() - since) <= 120_000)).toBe(true);
    expect(new Set(uuids.map((uuid) => uuid.slice(-10))).size).toBe(uuids.length);
  });

  it("ascend when the clock is set back by up to a second", () => {
    const first = newUuid();
    jest.spyOn(Date, "now").mockReturnValue(madeAt(first).getTime() - 1000);
    const second = newUuid();
    expect([first, second].toSorted()).toEqual([first, second]);
  });

  it("tell the time again when the clock had been ahead", () => {
    const now = Date.now();
    const clock = jest.spyOn(Date, "now").mockReturnValue(now + 3_600_000);
    newUuid();
    clock.mockReturnValue(now);
    const uuids = Array.from({ length: 1000 }, newUuid);
    expect(uuids.every((uuid) => madeAt(uuid).getTime() === now)).toBe(true);
    expect(uuids.toSorted()).toEqual(uuids);
  });

  it("begin each millisecond with a number of its own", () => {
    const now = Date.now() + 3_600_000;
    const numbers = [0, 1, 2, 3].map((ms) => {
      jest.spyOn(Date, "now").mockReturnValue(now + ms);
      return newUuid().slice(14, 23);
    });
    expect(new Set(numbers).size).toBe(4);
  });
});
