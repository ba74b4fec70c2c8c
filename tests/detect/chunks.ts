// One stream, cut in different ways: whole, byte by byte, at seeded random places.

import fc from 'fast-check';

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Cuts at these places; those outside or given twice do no harm. */
export const cutAt = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const inside = [...new Set(places)].filter((place) => place > 0 && place < bytes.length).sort((a, b) => a - b);
  return [0, ...inside].map((from, n) => bytes.subarray(from, inside[n] ?? bytes.length));
};

export const byteByByte = (bytes: Uint8Array): Uint8Array[] => Array.from(bytes, (byte) => Uint8Array.of(byte));

/** The same seed gives the same cuts, on every machine. `every` is about how far they are apart. */
export const seededCuts = (length: number, {seed, every}: {seed: number; every: number}): number[] => {
  const places: number[] = [];
  let state = seed;
  for (let place = 0; place < length; ) {
    // Park and Miller's generator: small, known, and enough to choose places.
    state = (state * 48_271) % 0x7fffffff;
    place += 1 + (state % (2 * every));
    places.push(place);
  }
  return places;
};

/** Any way to cut so many bytes. */
export const anyCuts = (length: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({min: 0, max: Math.max(1, length)}), {maxLength: 40});

/** CKPT_LONG=1 draws many more. */
export const runs = (numRuns: number): {numRuns: number} => ({
  numRuns: process.env.CKPT_LONG === '1' ? numRuns * 20 : numRuns,
});
