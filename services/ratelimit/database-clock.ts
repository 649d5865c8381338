/** Number of readings that count. With a reading every 300 ms the clocks drift by less than a millisecond meanwhile. */
const READINGS = 10;

/** A clock of the database as this process knows it: from readings, each of which came between sending and answer. */
export interface DatabaseClock {
  /**
   * Takes in a reading.
   * @param clockUs microseconds since 1970 by the clock of the database
   * @param sentAt and `answeredAt` in milliseconds of performance.now()
   */
  read(clockUs: number, sentAt: number, answeredAt: number): void;
  /** Latest time that it can be in the database at a time of this process, in whole microseconds since 1970. */
  toDatabase(ms: number): number;
  /** Latest time of this process, in milliseconds of performance.now(), at which it can be `us` in the database. */
  toProcess(us: number): number;
}

/**
 * Converts times of this process into times of the database and back. Both ways end too late and never too early, by
 * less than the shortest round trip of the last readings, so a stamp that goes from a process to another one never
 * leaves its window too early, and hardly too late.
 */
export function databaseClock(): DatabaseClock {
  let readings: { least: number; most: number }[] = [];
  let [least, most] = [0, 0];
  return {
    read(clockUs, sentAt, answeredAt) {
      // The part of a microsecond is cut off.
      const reading = { least: clockUs - answeredAt * 1000, most: clockUs + 1 - sentAt * 1000 };
      // The clock was set since those that contradict this one.
      readings = readings.filter((other) => other.least <= reading.most && other.most >= reading.least);
      readings = [...readings, reading].slice(-READINGS);
      least = Math.max(...readings.map((one) => one.least));
      most = Math.min(...readings.map((one) => one.most));
    },
    toDatabase: (ms) => Math.ceil(ms * 1000 + most),
    toProcess: (us) => (us - least) / 1000,
  };
}
