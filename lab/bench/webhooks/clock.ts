/** Milliseconds on the clock that all processes of this machine share, finer than `Date.now`. */
export function clockMs(): number {
  return performance.timeOrigin + performance.now();
}
