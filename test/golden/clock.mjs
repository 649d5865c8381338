// Loaded by --import: the process begins at this time, so that calendars repeat up to the same day whenever it runs.
const begin = Date.parse("2026-06-01T00:00:00Z");
const RealDate = Date;
const offset = begin - RealDate.now();
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, by) => Reflect.construct(target, args.length === 0 ? [RealDate.now() + offset] : args, by),
  apply: () => new RealDate(RealDate.now() + offset).toString(),
  get: (target, name) => (name === "now" ? () => RealDate.now() + offset : Reflect.get(target, name)),
});
