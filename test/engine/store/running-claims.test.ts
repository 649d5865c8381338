import { expect, it } from "@jest/globals";
import type { Claim } from "../../../base/contract/claim.ts";
import { createClaims } from "../../../engine/store/store.ts";

const claim = (key: string): Claim => ({ key, fingerprint: "", requestId: "", publicUrl: "", ttlS: 1 });
const never = () => new Promise<never>(() => {});

it("A duplicate is told that its request runs still, without being begun", async () => {
  const unlessRunning = createClaims();
  const ada = { workspaceId: "w", userId: "ada", claim: claim("one") };
  void unlessRunning(ada, never);
  await expect(unlessRunning(ada, never)).rejects.toMatchObject({ code: 409 });
  // Keys are of a user; whoever sends none, or another one, is no duplicate.
  const work = async () => "done";
  for (const other of [
    { ...ada, userId: "bea" },
    { ...ada, claim: claim("two") },
    { workspaceId: "w", userId: "ada" },
  ])
    expect(await unlessRunning(other, work)).toBe("done");
});

it("A key is free again when its work has ended, also by an error", async () => {
  const unlessRunning = createClaims();
  const ada = { workspaceId: "w", userId: "ada", claim: claim("one") };
  await expect(unlessRunning(ada, () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await unlessRunning(ada, async () => "done")).toBe("done");
});
