const microTimes = /^(?:LeaseSpec\.|Event\.eventTime$|EventSeries\.)/;

/** Whether the time in a field has microseconds (`LeaseSpec.renewTime`): the tables say of both kinds that they are times. */
export function isMicroTime(field: string): boolean {
  return microTimes.test(field);
}
