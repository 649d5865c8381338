import { expect, it } from "@jest/globals";
import { tellOnce } from "../../../../services/webhooks/sending/tell-once.ts";

it("A message that thousands of attempts make is told once, and so are messages of one subject", () => {
  const told: string[] = [];
  const tell = tellOnce((message) => told.push(message));
  for (let i = 0; i < 1_000; i += 1) tell("receiver.test leads to 10.0.0.1");
  tell("other.test leads to 10.0.0.1");
  tell("the key 1a is missing for wbk_1", "1a");
  tell("the key 1a is missing for wbk_2", "1a");
  expect(told).toEqual([
    "receiver.test leads to 10.0.0.1",
    "other.test leads to 10.0.0.1",
    "the key 1a is missing for wbk_1",
  ]);
});
