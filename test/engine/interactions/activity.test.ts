import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Uuid } from "../../../base/values/ids.ts";
import { activityOf, contactOf, strongestOf, workspaceContact } from "../../../engine/interactions/activity.ts";

const uuid = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}` as Uuid;
const USERS = [1, 2, 3].map(uuid);

interface Interaction {
  id: Uuid;
  at: string;
  users: Uuid[];
}

/** What PostgreSQL gives of interactions that are not counted yet. */
const uncounted = (some: Interaction[]): string | null =>
  some.length === 0 ? null : JSON.stringify(some.map(({ users, at, id }) => [users, at.replace("Z", "+00:00"), id]));

/** All of them counted is what nothing counted and all of them waiting comes to. */
const counted = (some: Interaction[]): string | null => activityOf(null, uncounted(some));

const interactions = fc
  .array(fc.record({ minute: fc.nat(50), users: fc.subarray(USERS) }), { maxLength: 30 })
  .map((list) =>
    list.map(
      ({ minute, users }, i): Interaction => ({
        id: uuid(1000 + i),
        at: `2026-01-01T00:${String(minute).padStart(2, "0")}:00.000Z`,
        users,
      }),
    ),
  );

describe("The activity of a person (docs/guides/people.md#interactions)", () => {
  it("is null without interactions", () => {
    expect(activityOf(null, null)).toBeNull();
  });

  it("tells how often and when the last time, of anybody and of each user", () => {
    const activity = counted([
      { id: uuid(1), at: "2026-01-01T00:00:00.000Z", users: [uuid(1)] },
      { id: uuid(2), at: "2026-01-03T00:00:00.000Z", users: [uuid(1), uuid(2)] },
      { id: uuid(3), at: "2026-01-02T00:00:00.000Z", users: [uuid(2)] },
      { id: uuid(4), at: "2026-01-03T00:00:00.000Z", users: [] },
    ]);
    expect(activity).not.toBeNull();
    const text = activity ?? "";
    // Of two at the same time the one with the higher id is the last, and that one has no user.
    expect(workspaceContact(text)).toEqual({ count: 4, lastAt: "2026-01-03T00:00:00.000Z", lastBy: [] });
    expect(contactOf(text, uuid(1))).toEqual({ count: 2, lastAt: "2026-01-03T00:00:00.000Z" });
    expect(contactOf(text, uuid(3))).toBeUndefined();
    expect(strongestOf(text, (user) => user === uuid(2))).toBe(uuid(2));
    expect(strongestOf(text, () => false)).toBeUndefined();
  });

  it("is the same however much of it is counted", () => {
    fc.assert(
      fc.property(interactions, fc.nat(30), (all, split) => {
        expect(activityOf(counted(all.slice(0, split)), uncounted(all.slice(split)))).toBe(counted(all));
      }),
    );
  });

  it("is what a plain count says", () => {
    fc.assert(
      fc.property(interactions, (all) => {
        const text = counted(all);
        if (text === null) return expect(all).toEqual([]);
        const newestFirst = all.toSorted((a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id));
        expect(workspaceContact(text)).toEqual({
          count: all.length,
          lastAt: newestFirst[0]?.at,
          lastBy: newestFirst[0]?.users,
        });
        for (const user of USERS) {
          const own = newestFirst.filter(({ users }) => users.includes(user));
          expect(contactOf(text, user)).toEqual(own[0] && { count: own.length, lastAt: own[0].at });
        }
      }),
    );
  });
});
