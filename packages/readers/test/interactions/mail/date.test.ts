import { expect, it } from "@jest/globals";
import { envelopeDate, mailDate } from "../../../interactions/mail/date.ts";

it.each([
  ["Thu, 5 Jan 2024 10:00:00 +0100", "2024-01-05T09:00:00.000Z"],
  ["Fri, 05 Jan 2024 10:00:00 -0530 (IST)", "2024-01-05T15:30:00.000Z"],
  ["5 Jan 2024 10:00 GMT", "2024-01-05T10:00:00.000Z"],
  ["5 January 2024 10:00:00 EST", "2024-01-05T15:00:00.000Z"],
  ["Fri, 5 Jan 24 10:00:00 PDT", "2024-01-05T17:00:00.000Z"],
  ["Tue, 5 Jan 99 10:00:00 UT", "1999-01-05T10:00:00.000Z"],
  ["Fri, 5-Jan-2024 10:00:00 XYZ", "2024-01-05T10:00:00.000Z"],
  ["Fri, 5 Jan 2024 23:59:60 +0000", "2024-01-05T23:59:59.000Z"],
  ["Fri,  5  Jan\t2024  10:00:00.123  +0000 (a) (b)", "2024-01-05T10:00:00.000Z"],
  ["2024-01-05T10:00:00Z", "2024-01-05T10:00:00.000Z"],
  ["2024-01-05 10:00:00 +0100", "2024-01-05T09:00:00.000Z"],
])("a mail of %j is of %s", (header, instant) => {
  expect(mailDate(header)).toBe(instant);
});

it.each([
  "",
  "yesterday",
  "Thu, 31 Feb 2024 10:00:00 +0000",
  "Thu, 32 Jan 2024 10:00:00 +0000",
  "Thu, 5 Foo 2024 10:00:00 +0000",
  "Thu, 5 Jan 2024 25:00:00 +0000",
  "Thu, 5 Jan 2024 10:00:00 +9900",
  "Thu, 5 Jan 0000 10:00:00 +0000",
  "(".repeat(1_000_000),
  `Thu, 5${" ".repeat(1_000_000)}Jan 2024 10:00:00 +0000`,
])("a mail of %.40j has no date", (header) => {
  expect(mailDate(header)).toBeNull();
});

it.each([
  ["From ada@acme.test Thu Jan  5 10:00:00 2024", "2024-01-05T10:00:00.000Z"],
  ["From 1@xxx Thu Jan 05 10:00:00 +0200 2024", "2024-01-05T08:00:00.000Z"],
  ["From ada@acme.test Thu Jan  5 10:00:00 2024 -0100", "2024-01-05T11:00:00.000Z"],
  ["From ada@acme.test Thu Jan  5 10:00:00 PST 2024", "2024-01-05T18:00:00.000Z"],
  ["From ada@acme.test Thu Feb 30 10:00:00 2024", null],
  ["From ada@acme.test", null],
  ["", null],
])("the line %j in front of a mail has the date %s", (line, instant) => {
  expect(envelopeDate(line)).toBe(instant);
});
