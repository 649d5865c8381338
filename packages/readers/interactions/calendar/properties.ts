import ICAL from "ical.js";

const SHOWN_LENGTH = 80;

/** The properties of an event by their names in lower case, those of one name in the order of the file. */
export type Properties = Map<string, ICAL.Property[]>;

/** @throws Error with the reason in plain words, when a line is none of iCalendar */
export function propertiesOf(lines: readonly string[]): Properties {
  const properties: Properties = new Map();
  for (const line of lines) {
    const property = propertyOf(line);
    const before = properties.get(property.name);
    if (before) before.push(property);
    else properties.set(property.name, [property]);
  }
  return properties;
}

function propertyOf(line: string): ICAL.Property {
  try {
    return new ICAL.Property(ICAL.parse.property(line));
  } catch {
    throw new Error(`its line ${JSON.stringify(line.slice(0, SHOWN_LENGTH))} cannot be read`);
  }
}

/** The text of the first property of this name, empty without one. */
export function textOf(properties: Properties, name: string): string {
  const value = properties.get(name)?.[0]?.getFirstValue();
  return value === null || value === undefined ? "" : String(value);
}

/** A parameter of a property as a text. */
export function parameterOf(property: ICAL.Property, name: string): string {
  return [property.getParameter(name) ?? ""].flat()[0] ?? "";
}

/** A property in jCal is its name, its parameters, its type and then its values. */
const FIRST_VALUE = 3;
/** Form that a date without VALUE=DATE gets in jCal. */
const DATE_AS_TIME = /^(\d{4}-\d\d-\d\d)T::$/;

/**
 * The times of a property; of periods it is their beginnings.
 * @throws Error with the reason in plain words, when one of them is no time, or no day of the calendar
 */
export function timesIn(property: ICAL.Property): ICAL.Time[] {
  return property.jCal.slice(FIRST_VALUE).map((value: unknown) => {
    const written = String([value].flat()[0]).replace(DATE_AS_TIME, "$1");
    const time = timeOf(written);
    if (time) return time;
    const shown = JSON.stringify(written.slice(0, SHOWN_LENGTH));
    throw new Error(`its ${property.name.toUpperCase()} ${shown} is no time`);
  });
}

function timeOf(written: string): ICAL.Time | null {
  try {
    const time = written.includes("T") ? ICAL.Time.fromDateTimeString(written) : ICAL.Time.fromDateString(written);
    // ical.js goes on into March where February has no 30th day.
    return time.toString() === written ? time : null;
  } catch {
    return null;
  }
}
